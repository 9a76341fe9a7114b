import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { Talk } from './conversation.js';
import { type ListEntry, localName, localUri, ownEntries } from './naming.js';
import type { AskedMethod } from './result-schemas.js';
import { sampleArguments } from './sample-arguments.js';
import type { ServerUnderTest } from './server-under-test.js';

/** A walk longer than this is a circle; the largest server here has one page of 19 tools. */
const maxPages = 20;
/** Prefixes that are completed: nothing, something that fits, something that does not. */
const prefixes = ['', '1', 'E', '~'];
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/**
 * The part of the script that fits every server: lists all, calls every tool, reads every resource, template and link,
 * gets every prompt, completes every argument, subscribes and unsubscribes every resource, sets every log level. It
 * follows the capabilities that the server has straight, so that none is forgotten on the other side.
 */
export async function useEverything(talk: Talk, server: ServerUnderTest, has: ServerHas): Promise<void> {
  if (has.ping !== false) await talk.ask('ping');
  if (has.tools) await useTools(talk, server);
  if (has.prompts) await usePrompts(talk, server, has);
  if (has.resources) await useResources(talk, has);
  if (has.logging) for (const level of levels) await talk.ask('logging/setLevel', { level });
}

/** Calls every tool that needs arguments without any: what a server says to that is part of it. */
export async function useWrongly(talk: Talk): Promise<void> {
  for (const tool of await listAll(talk, 'tools/list', 'tools')) {
    if ((tool.inputSchema?.required ?? []).length > 0) await talk.call(localName(talk.naming, tool.name), {});
  }
}

/** Which capabilities the server declares when asked straight. */
export interface ServerHas {
  /** The one method that is no capability: the modern era lacks it. */
  readonly ping?: boolean;
  readonly tools?: unknown;
  readonly prompts?: unknown;
  readonly resources?: { readonly subscribe?: boolean | undefined } | undefined;
  readonly completions?: unknown;
  readonly logging?: unknown;
}

async function useTools(talk: Talk, server: ServerUnderTest): Promise<void> {
  const calls = server.calls?.(talk.folder) ?? {};
  const tools = await listAll(talk, 'tools/list', 'tools');
  for (const tool of tools) {
    const name = localName(talk.naming, tool.name);
    for (const args of calls[name] ?? [sampleArguments(tool.inputSchema)]) {
      const result = await talk.call(name, args);
      for (const uri of linksIn(result))
        await talk.ask('resources/read', { uri: localUri(talk.naming, uri) });
    }
  }
}

function linksIn(result: Result | undefined): string[] {
  const content = (result?.content ?? []) as { type: string; uri?: string }[];
  return content.flatMap(({ type, uri }) => (type === 'resource_link' && uri !== undefined ? [uri] : []));
}

async function usePrompts(talk: Talk, { prompts = {} }: ServerUnderTest, has: ServerHas): Promise<void> {
  for (const prompt of await listAll(talk, 'prompts/list', 'prompts')) {
    const name = localName(talk.naming, prompt.name);
    const names = (prompt.arguments ?? []).map((argument) => argument.name);
    const args = prompts[name] ?? Object.fromEntries(names.map((argument) => [argument, '1']));
    await talk.ask('prompts/get', { name, arguments: args });
    if (has.completions === undefined) continue;
    for (const argument of names) {
      await complete(talk, { type: 'ref/prompt', name }, argument, { context: { arguments: args } });
    }
  }
}

async function useResources(talk: Talk, has: ServerHas): Promise<void> {
  const resources = await listAll(talk, 'resources/list', 'resources');
  for (const resource of resources) {
    const uri = localUri(talk.naming, resource.uri ?? '');
    await talk.ask('resources/read', { uri });
    if (has.resources?.subscribe !== true) continue;
    await talk.ask('resources/subscribe', { uri });
    await talk.ask('resources/unsubscribe', { uri });
  }
  for (const { uriTemplate } of await listAll(talk, 'resources/templates/list', 'resourceTemplates')) {
    const uri = localUri(talk.naming, uriTemplate ?? '');
    const template = new UriTemplate(uri);
    for (const value of ['1', '42', 'not a number']) {
      const variables = Object.fromEntries(template.variableNames.map((name) => [name, value]));
      await talk.ask('resources/read', { uri: template.expand(variables) });
    }
    if (has.completions === undefined) continue;
    for (const variable of template.variableNames) {
      await complete(talk, { type: 'ref/resource', uri }, variable);
    }
  }
}

async function complete(talk: Talk, ref: object, name: string, more: object = {}): Promise<void> {
  for (const value of prefixes) {
    await talk.ask('completion/complete', { ref, argument: { name, value }, ...more });
  }
}

/** Asks for every page and gives the entries of all. */
export async function listAll(talk: Talk, method: AskedMethod, member: string): Promise<ListEntry[]> {
  const entries: ListEntry[] = [];
  let cursor: unknown;
  for (let page = 1; page <= maxPages; page += 1) {
    const result: Result | undefined = await talk.ask(method, cursor === undefined ? {} : { cursor });
    entries.push(...((result?.[member] ?? []) as ListEntry[]));
    cursor = result?.nextCursor;
    if (cursor === undefined) return ownEntries(talk.naming, entries);
  }
  throw new Error(`${method} gave more than ${maxPages} pages`);
}

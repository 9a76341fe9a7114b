import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js';
import { codeBlocks, marked, readDocument } from '../helpers/markdown.js';
import { connectClient } from '../helpers/test-client.js';

const readme = readDocument('README.md');
const documentedUrl = 'ws://127.0.0.1:8808/mcp';

let gateway: GatewayProcess;
beforeAll(async () => {
  const { mcpServers } = JSON.parse(readDocument('config/gateway.json'));
  gateway = await startGateway({ config: { mcpServers: inRepository(mcpServers) } });
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** The delivered backends, from a configuration file that lies elsewhere. */
function inRepository(mcpServers: Record<string, { command: string; args: string[] }>) {
  return Object.fromEntries(
    Object.entries(mcpServers).map(([key, entry]) => [key, { ...entry, cwd: resolve('.') }]),
  );
}

/**
 * Runs an example as a program of its own, towards the gateway of this test, and gives what it prints.
 * @param last what a page prints last, which then is ended; without it the program has to end by itself, with 0
 */
async function runExample(code: string, last?: string): Promise<string> {
  expect(code).toContain(documentedUrl);
  // In the project's folder, where the packages are found that the example imports.
  const folder = mkdtempSync(resolve('dist/example-'));
  try {
    const file = join(folder, 'example.mjs');
    writeFileSync(file, code.replaceAll(documentedUrl, gateway.url));
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'], timeout: 15_000 });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      if (last !== undefined && printed.endsWith(last)) child.kill();
    });
    const ending = await once(child, 'close');
    expect(ending).toEqual(last === undefined ? [0, null] : [null, 'SIGTERM']);
    return printed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the examples of the README', () => {
  it('for a browser page lists the tools and calls one', async () => {
    const [page = ''] = codeBlocks(readme, 'html');
    const [, script = ''] = /<script type="module">(.*)<\/script>/s.exec(page) ?? [];
    // What a page has and Node 20 has not.
    const globals = `import { WebSocket } from 'ws';\nglobalThis.WebSocket = WebSocket;`;
    const printed = await runExample(`${globals}\n${script}`, 'ate\n');
    expect(printed).toMatch(/^grammar__conjugate text-stats__\S+ text-stats__\S+ system-info__\S+\nate\n$/);
  });

  it('for Node call a tool, with a socket alone and with the official client', async () => {
    const examples = codeBlocks(readme, 'js');
    expect(examples).toHaveLength(2);
    for (const example of examples) expect(await runExample(example)).toBe('ate\n');
  });

  it('show the messages that really come', async () => {
    await using client = await connectClient(gateway.url);
    const lines = marked(readme, 'transcript').split('\n');
    const answered: number[] = [];
    for (const line of lines) {
      if (line.startsWith('> ')) client.send(line.slice(2));
      if (!line.startsWith('< ')) continue;
      const shown = line.slice(2).split('…').map(escapeRegExp).join('.*');
      const { raw, id } = await client.next();
      expect(raw).toMatch(new RegExp(`^${shown}$`));
      answered.push(Number(id));
    }
    expect(answered).toEqual([1, 2, 3, 4, 5]);
  });
});

describe.each([
  ['backend-directly.json', 'grammar', 'conjugate'],
  ['gateway-over-stdio.json', 'switchboard', 'grammar__conjugate'],
])('config/clients/%s', (file, server, tool) => {
  it('starts what a desktop client can call tools of', async () => {
    const text = readDocument(`config/clients/${file}`)
      .replaceAll('/path/to/mcp-switchboard', resolve('.'))
      .replaceAll(documentedUrl, gateway.url);
    const client = new Client({ name: 'desktop', version: '0' });
    await client.connect(new StdioClientTransport(JSON.parse(text).mcpServers[server]));
    try {
      const { content } = await client.callTool({
        name: tool,
        arguments: { verb: 'eat', tense: 'past simple', person: '3rd singular' },
      });
      expect(content).toEqual([{ type: 'text', text: 'ate' }]);
    } finally {
      await client.close();
    }
  });
});

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&');
}

import type { JsonObject } from '../../src/protocol/json.js';
import type { Feature } from './feature.js';
import { indexUnique } from './index-unique.js';
import type { Method } from './method.js';
import { onePage } from './one-page.js';
import { quote } from './quote.js';
import type { Resource, ResourceContent, Resources } from './resource-definition.js';
import { RpcError } from './rpc-error.js';
import { Subscriptions } from './subscriptions.js';

type Notify = (method: string, params?: JsonObject) => void;

/** The `resources` capability. Throws when two templates are equal. */
export function resourceFeature(resources: Resources, notify: Notify): Feature {
  const watch = resources.watch === undefined ? undefined : subscriptionFeature(resources, notify);
  return {
    capabilities: { resources: { ...watch?.capabilities } },
    methods: new Map([
      ['resources/list', onePage(async () => ({ resources: (await resources.list()).map(describe) }))],
      ['resources/templates/list', onePage(templateList(resources))],
      ['resources/read', readResource(resources)],
      ...(watch?.methods ?? []),
    ]),
  };
}

/** What is there only for resources that are watched: their part of the capability, and their methods. */
function subscriptionFeature(resources: Resources, notify: Notify): Feature {
  const subscriptions = new Subscriptions();
  resources.watch?.({
    updated: (listedUri) => {
      for (const uri of subscriptions.of(listedUri)) notify('notifications/resources/updated', { uri });
    },
    listChanged: () => notify('notifications/resources/list_changed'),
  });
  return {
    capabilities: { subscribe: true, listChanged: true },
    methods: new Map<string, Method>([
      [
        'resources/subscribe',
        async (params) => {
          const uri = uriOf(params);
          subscriptions.add(uri, (await findResource(resources, uri)).uri);
          return {};
        },
      ],
      [
        'resources/unsubscribe',
        (params) => {
          subscriptions.delete(uriOf(params));
          return {};
        },
      ],
    ]),
  };
}

function templateList({ templates = [] }: Resources): () => JsonObject {
  indexUnique('resource templates', templates, ({ uriTemplate }) => uriTemplate);
  const resourceTemplates = templates.map(({ variables: _variables, ...description }) => description);
  return () => ({ resourceTemplates });
}

function readResource(resources: Resources): Method {
  return async (params) => {
    const uri = uriOf(params);
    const resource = await findResource(resources, uri);
    const content = await resource.read();
    if (content === undefined) throw unknownResource(uri);
    const { mimeType } = resource;
    return { contents: [{ uri, ...(mimeType === undefined ? {} : { mimeType }), ...encode(content) }] };
  };
}

async function findResource(resources: Resources, uri: string): Promise<Resource> {
  const found =
    resources.find === undefined
      ? (await resources.list()).find((resource) => resource.uri === uri)
      : await resources.find(uri);
  if (found === undefined) throw unknownResource(uri);
  return found;
}

function unknownResource(uri: string): RpcError {
  return new RpcError(
    'resourceNotFound',
    `unknown resource ${quote(uri)}; resources/list tells which exist`,
    {
      uri,
    },
  );
}

function uriOf({ uri }: JsonObject): string {
  if (typeof uri === 'string') return uri;
  throw new RpcError('invalidParams', `"uri" must be a string, got ${quote(uri)}`);
}

function describe({ uri, name, title, description, mimeType }: Resource): JsonObject {
  return { uri, name, title, description, mimeType };
}

function encode(content: ResourceContent): JsonObject {
  if (typeof content === 'string') return { text: content };
  return { blob: Buffer.from(content).toString('base64') };
}

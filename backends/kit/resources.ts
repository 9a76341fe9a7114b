import type { JsonObject } from '../../src/protocol/json.js';
import type { Feature } from './feature.js';
import { findResource, unknownResource, uriOf } from './find-resource.js';
import { indexUnique } from './index-unique.js';
import type { Method } from './method.js';
import { onePage } from './one-page.js';
import type { Resource, ResourceContent, Resources } from './resource-definition.js';

/** The `resources` capability. Who is told what changes is up to the eras. Throws when two templates are equal. */
export function resourceFeature(resources: Resources): Feature {
  const news = resources.watch === undefined ? {} : { subscribe: true, listChanged: true };
  return {
    capabilities: { resources: news },
    methods: new Map([
      ['resources/list', onePage(async () => ({ resources: (await resources.list()).map(describe) }))],
      ['resources/templates/list', onePage(templateList(resources))],
      ['resources/read', readResource(resources)],
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

function describe({ uri, name, title, description, mimeType }: Resource): JsonObject {
  return { uri, name, title, description, mimeType };
}

function encode(content: ResourceContent): JsonObject {
  if (typeof content === 'string') return { text: content };
  return { blob: Buffer.from(content).toString('base64') };
}

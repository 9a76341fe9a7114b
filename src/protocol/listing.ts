import type { Span } from './message.js';

/** The four lists of MCP, by the member of the list result that holds the entries. */
export const listKinds = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;
export type ListKind = (typeof listKinds)[number];

/** Per list: its method, the capability that announces it, and the member that identifies an entry. */
export const lists = {
  tools: { method: 'tools/list', capability: 'tools', identifier: 'name' },
  prompts: { method: 'prompts/list', capability: 'prompts', identifier: 'name' },
  resources: { method: 'resources/list', capability: 'resources', identifier: 'uri' },
  resourceTemplates: {
    method: 'resources/templates/list',
    capability: 'resources',
    identifier: 'uriTemplate',
  },
} as const satisfies Record<ListKind, { method: string; capability: string; identifier: string }>;

/** One tool, prompt, resource or template as its backend wrote it. */
export interface Entry {
  /** The exact text of the JSON object. */
  readonly text: Buffer;
  /** Its `name`, `uri` or `uriTemplate`, decoded. */
  readonly identifier: string;
  /** Where the identifier's JSON string (with its quotes) stands in `text`. */
  readonly identifierSpan: Span;
}

/** All lists of one backend, read to their ends. */
export interface Listing {
  readonly entries: { readonly [Kind in ListKind]: readonly Entry[] };
  /** What was skipped or cut short while reading, for the log and the status. */
  readonly warnings: readonly string[];
}

/** A URI in a result: from the result through `path`, where `[]` is every element of an array. */
export interface ResultRule {
  /** To the objects that can hold it. */
  readonly each: readonly string[];
  /** Only in objects whose `type` is this. */
  readonly type?: string;
  /** From there to the URI. */
  readonly uri: readonly string[];
}

function contentRules(each: readonly string[]): readonly ResultRule[] {
  return [
    { each, type: 'resource_link', uri: ['uri'] },
    { each, type: 'resource', uri: ['resource', 'uri'] },
  ];
}

/** Where results hold URIs. [MCP 2025-11-25 schema: ContentBlock, ResourceContents] */
export const resultRules = {
  toolCall: contentRules(['content', '[]']),
  promptGet: contentRules(['messages', '[]', 'content']),
  resourceRead: [{ each: ['contents', '[]'], uri: ['uri'] }],
} as const satisfies Record<string, readonly ResultRule[]>;

import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';

/** All that a client of a revision can declare. */
export function allCapabilities(revision: string): ClientCapabilities {
  return {
    roots: { listChanged: true },
    sampling: {},
    ...(revision >= '2025-06-18' && { elicitation: {} }),
    ...(revision >= '2025-11-25' && {
      elicitation: { form: {}, url: {} },
      tasks: {
        list: {},
        cancel: {},
        requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
      },
    }),
  };
}

import { readMessage } from '../../src/protocol/envelope.js';
import type { JsonObject } from '../../src/protocol/json.js';
import { type Listing, type ListKind, listKinds } from '../../src/protocol/listing.js';
import { readPage } from '../../src/protocol/listing-page.js';
import type { Message } from '../../src/protocol/message.js';

export function wellFormed(text: string): Message {
  const message = readMessage(Buffer.from(text), { maxDepth: Number.POSITIVE_INFINITY });
  if (message.kind === 'malformed') throw new Error(`${message.reason}: ${text}`);
  return message;
}

/** What a scripted backend has; a name, URI or template stands for the smallest entry that has it. */
export interface Offer {
  readonly tools?: readonly (string | JsonObject)[];
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceTemplates?: readonly string[];
  readonly capabilities?: JsonObject;
  readonly instructions?: string;
}

/** A listing as it would have been read from a backend's answers. */
export function listingOf(offer: Offer): Listing {
  const result: Record<ListKind, readonly JsonObject[]> = {
    tools: (offer.tools ?? []).map((tool) =>
      typeof tool === 'string' ? { name: tool, inputSchema: { type: 'object' } } : tool,
    ),
    prompts: (offer.prompts ?? []).map((name) => ({ name })),
    resources: (offer.resources ?? []).map((uri) => ({ uri, name: uri })),
    resourceTemplates: (offer.resourceTemplates ?? []).map((uriTemplate) => ({
      uriTemplate,
      name: uriTemplate,
    })),
  };
  const response = wellFormed(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  if (response.kind !== 'response') throw new Error('not a response');
  const pages = listKinds.map((kind) => [kind, readPage(kind, response).entries] as const);
  return { entries: Object.fromEntries(pages) as Listing['entries'], warnings: [] };
}

import type { SessionCatalog } from '../catalog/catalog.js';
import { stringAt } from '../protocol/envelope.js';
import type { FieldName } from '../protocol/fields.js';
import type { Entry } from '../protocol/listing.js';
import type { RequestMessage, Span } from '../protocol/message.js';
import type { Route } from '../protocol/methods.js';
import type { Edit } from '../protocol/splice.js';
import type { Lane } from './lane.js';
import type { UriOwner } from './uris.js';

/** Routes that lead to the one backend that owns what a request names. */
export type OwnerRoute = Extract<Route, { to: 'owner' } | { to: 'reference' } | { to: 'subscription' }>;

/** What a request can name. */
export type Noun = 'tool' | 'prompt' | 'resource';

/** Whose the thing is that a request names. */
export type Ownership =
  | {
      readonly kind: 'owned';
      readonly lane: Lane;
      /** The name or URI as the client and as the backend know it. */
      readonly shown: string;
      readonly local: string;
      /** What makes the one the other; nothing where they are the same. */
      readonly edits: readonly Edit[];
      /** For a tool: the entry, for its input schema. */
      readonly tool: Entry | undefined;
    }
  | { readonly kind: 'unknown'; readonly noun: Noun; readonly name: string }
  /** The request does not name anything. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** What finding an owner takes. */
export interface Known {
  readonly catalog: SessionCatalog<Lane>;
  readonly ownerOfUri: (uri: string) => UriOwner | undefined;
}

/** Finds the owner of what a request names, in the catalog; nothing is ever split at a separator. */
export function findOwner(message: RequestMessage, route: OwnerRoute, known: Known): Ownership {
  if (route.to === 'reference') return ownerOfReference(message, known);
  const named = readName(message, route.to === 'owner' ? route.field : 'uri');
  if (typeof named === 'string') return { kind: 'malformed', reason: named };
  const { span, name } = named;
  const noun = route.to === 'owner' ? route.of : 'resource';
  return noun === 'resource'
    ? owned(known.ownerOfUri(name), span, name)
    : ownerOfName(noun, name, span, known);
}

/** [MCP 2025-11-25 completion § Reference Types] */
function ownerOfReference(message: RequestMessage, known: Known): Ownership {
  const { refType } = message.fields;
  const type = refType && stringAt(message.bytes, refType);
  if (type === 'ref/prompt') {
    const named = readName(message, 'refName');
    return typeof named === 'string'
      ? { kind: 'malformed', reason: named }
      : ownerOfName('prompt', named.name, named.span, known);
  }
  if (type === 'ref/resource') {
    const named = readName(message, 'refUri');
    if (typeof named === 'string') return { kind: 'malformed', reason: named };
    const { span, name } = named;
    const template = known.catalog.view
      .entries('resourceTemplates')
      .find((candidate) => candidate.shownAs === name);
    return template === undefined
      ? owned(known.ownerOfUri(name), span, name)
      : owned({ lane: template.owner, uri: template.entry.identifier }, span, name);
  }
  return { kind: 'malformed', reason: 'params.ref.type must be "ref/prompt" or "ref/resource"' };
}

function ownerOfName(noun: 'tool' | 'prompt', name: string, span: Span, { catalog }: Known): Ownership {
  const found = noun === 'tool' ? catalog.view.tool(name) : catalog.view.prompt(name);
  if (found === undefined) return { kind: 'unknown', noun, name };
  const { owner, localName, entry } = found;
  return {
    kind: 'owned',
    lane: owner,
    shown: name,
    local: localName,
    edits: editsFor(span, name, localName),
    tool: noun === 'tool' ? entry : undefined,
  };
}

function owned(owner: UriOwner | undefined, span: Span, name: string): Ownership {
  if (owner === undefined) return { kind: 'unknown', noun: 'resource', name };
  const { lane, uri: local } = owner;
  return { kind: 'owned', lane, shown: name, local, edits: editsFor(span, name, local), tool: undefined };
}

function editsFor({ start, end }: Span, shown: string, local: string): Edit[] {
  return shown === local ? [] : [{ start, end, text: JSON.stringify(local) }];
}

const fieldPaths: Partial<Record<FieldName, string>> = { refName: 'ref.name', refUri: 'ref.uri' };

/** The string in a field, or what is wrong with it. */
function readName(message: RequestMessage, field: FieldName): { span: Span; name: string } | string {
  const span = message.fields[field];
  const name = span && stringAt(message.bytes, span);
  if (span === undefined || name === undefined) {
    return `"${message.method}" needs params.${fieldPaths[field] ?? field} as a string`;
  }
  return { span, name };
}

import type { Completable } from './completable.js';

/** The resources of a server, which may come and go while it runs. [MCP 2025-11-25 resources] */
export interface Resources {
  /** Those that exist now, in the order in which they are listed. */
  list(): readonly Resource[] | Promise<readonly Resource[]>;
  /**
   * The resource that a client means by a URI, or `undefined` when there is none. The URI may be spelled
   * otherwise than in the list. Default: the listed resource with exactly this URI.
   */
  find?(uri: string): Resource | undefined | Promise<Resource | undefined>;
  /** In the order in which they are listed. Default: none. */
  readonly templates?: readonly ResourceTemplate[];
  /**
   * Called once, when the server starts: from then on the backend tells the observer what changes. Only a
   * definition that has it promises `subscribe` and `listChanged`.
   */
  watch?(observer: ResourceObserver): void;
}

interface ResourceDescription {
  /** The name for programs; clients show it where there is no title. */
  readonly name: string;
  readonly title?: string;
  /** What it holds, for a model. */
  readonly description?: string;
  readonly mimeType?: string;
}

export interface Resource extends ResourceDescription {
  /** Unique in the server. */
  readonly uri: string;
  /** Its content: text, or bytes. `undefined` when it has gone meanwhile, which is answered as unknown. */
  read(): ResourceContent | undefined | Promise<ResourceContent | undefined>;
}

export type ResourceContent = string | Uint8Array;

export interface ResourceTemplate extends ResourceDescription {
  /** Unique in the server. [RFC 6570] */
  readonly uriTemplate: string;
  /** Every variable of the template by its name. */
  readonly variables: Readonly<Record<string, Completable>>;
}

/** Whom a backend tells about changes. It may be told too much: only who subscribed hears of a resource. */
export interface ResourceObserver {
  /** The content behind `uri`, spelled as in the list, is another one now; or it came, or it went. */
  updated(uri: string): void;
  /** A resource came or went. */
  listChanged(): void;
}

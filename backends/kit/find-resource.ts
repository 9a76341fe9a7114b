import type { JsonObject } from '../../src/protocol/json.js';
import { quote } from './quote.js';
import type { Resource, Resources } from './resource-definition.js';
import { RpcError } from './rpc-error.js';

/** The resource that a client means by a URI, if there is one. */
export async function lookUpResource(resources: Resources, uri: string): Promise<Resource | undefined> {
  if (resources.find !== undefined) return resources.find(uri);
  return (await resources.list()).find((resource) => resource.uri === uri);
}

/** The same where there has to be one: throws an `RpcError` otherwise. */
export async function findResource(resources: Resources, uri: string): Promise<Resource> {
  const found = await lookUpResource(resources, uri);
  if (found === undefined) throw unknownResource(uri);
  return found;
}

export function unknownResource(uri: string): RpcError {
  const message = `unknown resource ${quote(uri)}; resources/list tells which exist`;
  return new RpcError('resourceNotFound', message, { uri });
}

/** The parameter `uri`. Throws an `RpcError` when it is no text. */
export function uriOf({ uri }: JsonObject): string {
  if (typeof uri === 'string') return uri;
  throw new RpcError('invalidParams', `"uri" must be a string, got ${quote(uri)}`);
}

import type { JsonObject } from '../../src/protocol/json.js';
import type { Method } from './method.js';
import { quote } from './quote.js';
import { RpcError } from './rpc-error.js';

/**
 * A list method that gives everything on one page, so that any cursor is foreign. Members such as `title` are
 * sent to clients of every revision: those that do not know one ignore it.
 */
export function onePage(list: () => JsonObject | Promise<JsonObject>): Method {
  return ({ cursor }) => {
    if (cursor === undefined) return list();
    throw new RpcError(
      'invalidParams',
      `unknown cursor ${quote(cursor)}; this list has one page, ask without a cursor`,
    );
  };
}

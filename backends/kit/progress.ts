import { isJsonObject, type JsonObject } from '../../src/protocol/json.js';
import type { ToolContext } from './definition.js';

/**
 * The reporter for one request: sends `notifications/progress` under the token of its `_meta`, or nothing
 * when there is none. Reports that do not grow are dropped. [MCP 2025-11-25 progress § Behavior Requirements]
 */
export function progressReporter(
  params: JsonObject,
  notify: (params: JsonObject) => void,
): ToolContext['progress'] {
  const progressToken = isJsonObject(params._meta) ? params._meta.progressToken : undefined;
  let latest = Number.NEGATIVE_INFINITY;
  return (progress, total, message) => {
    if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return;
    if (!(progress > latest)) return;
    latest = progress;
    notify({ progressToken, progress, total, message });
  };
}

import {
  initializedNotification,
  initializeParams,
  readInitializeResult,
} from '../eras/legacy/backend-side.js';
import { notificationToBackend } from '../protocol/compose.js';
import type { BackendPeer, Introduction } from '../router/ports.js';
import type { BackendKey, ToBackend } from '../shared/ids.js';
import { answerValue, describeError } from './answer.js';
import { BackendError } from './backend-error.js';
import type { OwnRequests } from './own-requests.js';
import { printable } from './printable.js';

/** A refusal quotes what the backend said of its revision: no more than a line of it. */
const maxRefusalLength = 300;

/**
 * Opens the conversation with a fresh process: one `initialize`, then the notification that ends the
 * handshake. [MCP 2025-11-25 lifecycle § Initialization]
 * @throws {BackendError} `refused` when its revision is none of ours, `handshake` when it answers with an
 *   error, else what `OwnRequests.send` throws
 */
export async function openLegacy(
  backend: BackendKey,
  requests: OwnRequests,
  write: (message: ToBackend) => void,
  introduction: Introduction,
  timeoutMs: number,
): Promise<BackendPeer> {
  const params = initializeParams(introduction.clientInfo, introduction.capabilities);
  const answer = await requests.send('initialize', params, timeoutMs);
  if (answer.outcome !== 'result') {
    throw new BackendError(backend, 'handshake', `initialize: ${describeError(answer)}`);
  }
  const opening = readInitializeResult(answerValue(answer));
  if (!opening.accepted)
    throw new BackendError(backend, 'refused', printable(opening.reason, maxRefusalLength));
  write(notificationToBackend(initializedNotification, undefined));
  const { revision, capabilities, serverInfo, instructions } = opening;
  return { era: 'legacy', revision, capabilities, serverInfo, instructions };
}

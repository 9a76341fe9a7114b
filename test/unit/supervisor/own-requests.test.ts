import { describe, expect, it } from 'vitest';
import { createBackendSide } from '../../../src/eras/detect.js';
import { readMessage } from '../../../src/protocol/envelope.js';
import type { ResponseMessage } from '../../../src/protocol/message.js';
import type { BackendKey, GatewayId } from '../../../src/shared/ids.js';
import { OwnRequests } from '../../../src/supervisor/own-requests.js';
import { createFakeClock } from '../../helpers/fake-clock.js';

const caller = { clientInfo: { name: 'gateway', version: '0' }, capabilities: {} };

function response(text: string): ResponseMessage {
  const message = readMessage(Buffer.from(text), { maxDepth: Number.POSITIVE_INFINITY });
  if (message.kind !== 'response') throw new Error(`not a response: ${text}`);
  return message;
}

function setUp() {
  const clock = createFakeClock();
  const written: string[] = [];
  let id = 6;
  const requests = new OwnRequests({
    backend: 'b1' as BackendKey,
    side: createBackendSide('legacy', caller),
    clock,
    nextId: () => {
      id += 1;
      return id as GatewayId;
    },
    write: (message) => written.push(Buffer.concat(message).toString().trim()),
  });
  return { clock, written, requests };
}

describe("the gateway's own requests", () => {
  it('are written with a fresh id and resolved by the answer to it', async () => {
    const { clock, written, requests } = setUp();
    const asked = requests.send('tools/list', { cursor: '' }, 1_000);
    expect(written).toEqual(['{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":""}}']);
    const answer = response('{"jsonrpc":"2.0","id":7,"result":{}}');
    expect(requests.take(answer)).toBe(true);
    expect(await asked).toBe(answer);
    expect(clock.pending).toBe(0);
  });

  it('leave answers to other requests alone, and second answers to their own', async () => {
    const { requests } = setUp();
    expect(requests.take(response('{"jsonrpc":"2.0","id":7,"result":{}}'))).toBe(false);
    const asked = requests.send('tools/list', undefined, 1_000);
    for (const foreign of ['8', '"7"', '7.0', 'null']) {
      expect(requests.take(response(`{"jsonrpc":"2.0","id":${foreign},"error":{}}`))).toBe(false);
    }
    expect(requests.take(response('{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}'))).toBe(false);
    requests.take(response('{"jsonrpc":"2.0","id":7,"result":{}}'));
    expect(requests.take(response('{"jsonrpc":"2.0","id":7,"result":{}}'))).toBe(false);
    await asked;
  });

  it('are rejected and cancelled when their time is over', async () => {
    const { clock, written, requests } = setUp();
    const asked = requests.send('tools/list', undefined, 1_000);
    clock.advance(1_000);
    await expect(asked).rejects.toMatchObject({
      problem: 'timed-out',
      message: 'tools/list: no answer within 1 s',
    });
    expect(written[1]).toContain('"method":"notifications/cancelled","params":{"requestId":7');
  });

  it('do not cancel initialize, which must not be cancelled', async () => {
    const { clock, written, requests } = setUp();
    const asked = requests.open(createBackendSide('legacy', caller), 1_000);
    clock.advance(1_000);
    await expect(asked).rejects.toMatchObject({ problem: 'timed-out' });
    expect(written).toHaveLength(1);
  });

  it('are rejected when their answer cannot be read', async () => {
    const { requests } = setUp();
    const asked = requests.send('tools/list', undefined, 1_000);
    expect(requests.takeUnreadable(8, 'too-large')).toBe(false);
    expect(requests.takeUnreadable(7, 'too-large')).toBe(true);
    await expect(asked).rejects.toMatchObject({ problem: 'unreadable' });
  });

  it('are all rejected when the process ends, and from then on at once', async () => {
    const { clock, requests } = setUp();
    const asked = [requests.send('a', undefined, 1_000), requests.send('b', undefined, 1_000)];
    requests.end('exit code 3');
    for (const one of asked) await expect(one).rejects.toMatchObject({ problem: 'ended' });
    await expect(requests.send('c', undefined, 1_000)).rejects.toMatchObject({ message: 'c: exit code 3' });
    expect(clock.pending).toBe(0);
  });
});

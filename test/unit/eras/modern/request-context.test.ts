import { describe, expect, it } from 'vitest';
import { RequestContexts } from '../../../../src/eras/modern/request-context.js';
import { readMessage } from '../../../../src/protocol/envelope.js';
import { metaKeys } from '../../../../src/protocol/fields.js';
import type { JsonObject } from '../../../../src/protocol/json.js';
import { tasksExtension } from '../../../../src/protocol/methods.js';

const serverInfo = { name: 'gateway', version: '1' };

const said: JsonObject = {
  [metaKeys.revision]: '2026-07-28',
  [metaKeys.clientInfo]: { name: 'client', version: '1' },
  [metaKeys.clientCapabilities]: { elicitation: { form: {} } },
};

function request(id: number, meta: JsonObject) {
  const params = { name: 'echo', _meta: meta };
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  const message = readMessage(bytes, { maxDepth: Number.POSITIVE_INFINITY });
  if (message.kind !== 'request') throw new Error(`not a request but ${message.kind}`);
  return message;
}

describe('RequestContexts', () => {
  it('reads what a request says of its client', () => {
    const contexts = new RequestContexts(() => serverInfo);
    expect(contexts.read(request(1, { ...said, [metaKeys.logLevel]: 'debug' }))).toMatchObject({
      era: 'modern',
      revision: '2026-07-28',
      clientInfo: { name: 'client', version: '1' },
      capabilities: { elicitation: { form: {} } },
      logLevel: 'debug',
      serverInfo,
    });
  });

  it('gives requests that say the same the same context, whatever else their _meta holds', () => {
    const contexts = new RequestContexts(() => serverInfo);
    const first = contexts.read(request(1, said));
    expect(contexts.read(request(2, { progressToken: 2, ...said, traceparent: '00-a-01' }))).toBe(first);
  });

  it.each([
    [
      'capabilities of the same length',
      { [metaKeys.clientCapabilities]: { elicitation: { f0rm: {} } } },
      { capabilities: { elicitation: { f0rm: {} } }, mayGetTasks: false },
    ],
    [
      'an extension',
      { [metaKeys.clientCapabilities]: { extensions: { [tasksExtension]: {} } } },
      { mayGetTasks: true },
    ],
    [
      'another name of the same length',
      { [metaKeys.clientInfo]: { name: 'tneilc', version: '1' } },
      { clientInfo: { name: 'tneilc', version: '1' } },
    ],
    ['a log level', { [metaKeys.logLevel]: 'debug' }, { logLevel: 'debug' }],
  ])('reads a request anew that says %s', (_, different, expected) => {
    const contexts = new RequestContexts(() => serverInfo);
    contexts.read(request(1, said));
    expect(contexts.read(request(2, { ...said, ...different }))).toMatchObject(expected);
    expect(contexts.read(request(3, said))).toMatchObject({
      clientInfo: said[metaKeys.clientInfo],
      capabilities: said[metaKeys.clientCapabilities],
      mayGetTasks: false,
      logLevel: undefined,
    });
  });

  it('does not fill in what a later request leaves out', () => {
    const contexts = new RequestContexts(() => serverInfo);
    contexts.read(request(1, { ...said, [metaKeys.logLevel]: 'debug' }));
    expect(contexts.read(request(2, said))).toMatchObject({ logLevel: undefined });
    const { [metaKeys.clientCapabilities]: _, ...incomplete } = said;
    expect(contexts.read(request(3, incomplete))).toMatchObject({
      kind: 'invalidParams',
      reason: expect.stringContaining(metaKeys.clientCapabilities),
    });
  });

  it('remembers what was said, not the place where it stood', () => {
    const contexts = new RequestContexts(() => serverInfo);
    const first = request(1, said);
    const context = contexts.read(first);
    first.bytes.fill(0);
    expect(contexts.read(request(2, said))).toBe(context);
  });

  it('does not remember a client that says more than 2 KiB of itself', () => {
    const contexts = new RequestContexts(() => serverInfo);
    const verbose = { ...said, [metaKeys.clientInfo]: { name: 'x'.repeat(2_048), version: '1' } };
    const first = contexts.read(request(1, verbose));
    const second = contexts.read(request(2, verbose));
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
  });

  it('asks once who the gateway is', () => {
    let asked = 0;
    const contexts = new RequestContexts(() => {
      asked += 1;
      return serverInfo;
    });
    contexts.read(request(1, said));
    contexts.read(request(2, { ...said, [metaKeys.logLevel]: 'debug' }));
    expect(asked).toBe(1);
  });
});

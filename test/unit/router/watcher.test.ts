import { describe, expect, it } from 'vitest';
import { DualClientSide } from '../../../src/eras/dual-client-side.js';
import type { ClientPort } from '../../../src/router/ports.js';
import { SessionRecord } from '../../../src/router/session-record.js';
import { StreamWatcher, UnaskedWatcher } from '../../../src/router/watcher.js';
import type { ClientIdText, SessionKey } from '../../../src/shared/ids.js';
import { introduction, notification, request } from '../eras/messages.js';

function session() {
  const sent: string[] = [];
  const port: ClientPort = {
    key: 1 as SessionKey,
    send: (message) => void sent.push(Buffer.concat(message).toString()),
    sendProgress: () => undefined,
    close: () => undefined,
  };
  const era = new DualClientSide(() => introduction);
  return {
    sent,
    era,
    record: new SessionRecord(port, era, {
      watcher: (made) => new UnaskedWatcher(made),
      ended: () => undefined,
    }),
  };
}

const key = 'io.modelcontextprotocol/subscriptionId';
const notice = notification('notifications/resources/updated', `{"_meta":{"${key}":5},"uri":"a:1"}`);
const place = notice.bytes.indexOf('"a:1"');
const renamed = { start: place, end: place + '"a:1"'.length, text: '"b:1"' };

describe('a session that is told unasked', () => {
  it('is so from its handshake on', () => {
    const { era, record } = session();
    const watcher = new UnaskedWatcher(record);
    expect(watcher.wants()).toBe(false);
    era.request(request('initialize', '{"protocolVersion":"2025-11-25"}'), '1');
    expect(watcher.wants()).toBe(true);
  });

  it('hears bare notices', () => {
    const { sent, record } = session();
    record.watcher.tell('notifications/tools/list_changed');
    record.watcher.forward(notice, [renamed]);
    expect(sent).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
      '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{},"uri":"b:1"}}',
    ]);
  });
});

describe('a stream', () => {
  it('hears of its kinds alone', () => {
    const watcher = new StreamWatcher(
      session().record,
      '1' as ClientIdText,
      new Set(['tools'] as const),
      () => undefined,
    );
    expect([watcher.wants('tools'), watcher.wants('prompts')]).toEqual([true, false]);
  });

  it.each(['"1"', '1', '1.50'])('hears notices under its id %s', (idText) => {
    const { sent, record } = session();
    const watcher = new StreamWatcher(record, idText as ClientIdText, new Set(), () => undefined);
    watcher.acknowledge({});
    sent.length = 0;
    watcher.tell('notifications/tools/list_changed');
    watcher.forward(notice, [renamed]);
    expect(sent).toEqual([
      `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"${key}":${idText}}}}`,
      `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"${key}":${idText}},"uri":"b:1"}}`,
    ]);
  });

  it('hears notices in which the URI stands before the tag', () => {
    const { sent, record } = session();
    const other = notification('notifications/resources/updated', `{"uri":"a:1","_meta":{"${key}":5}}`);
    const start = other.bytes.indexOf('"a:1"');
    const watcher = new StreamWatcher(record, '7' as ClientIdText, new Set(), () => undefined);
    watcher.acknowledge({});
    watcher.forward(other, [{ start, end: start + '"a:1"'.length, text: '"b:1"' }]);
    expect(JSON.parse(sent[1] ?? '')).toMatchObject({ params: { uri: 'b:1', _meta: { [key]: 7 } } });
  });
});

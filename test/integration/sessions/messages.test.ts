import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { clientFrame, sendRaw, upgradeLines } from '../../helpers/raw-client.js';
import { startTestListener, type TestListener, toClient } from '../../helpers/session-listener.js';

const text = 1;
const continuation = 0;

let gateway: TestListener;

beforeAll(async () => {
  gateway = await startTestListener({ limits: { maxMessageBytes: 1_000 } });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

async function connectTo(url: string): Promise<WebSocket> {
  const client = new WebSocket(url, 'mcp');
  await once(client, 'open');
  return client;
}

async function nextMessage(client: WebSocket): Promise<{ data: string; isBinary: boolean }> {
  const [data, isBinary] = await once(client, 'message');
  return { data: String(data), isBinary };
}

async function closing(client: WebSocket): Promise<{ code: number; reason: string }> {
  const [code, reason] = await once(client, 'close');
  return { code, reason: String(reason) };
}

/** Sends raw frames after an upgrade and gives the payloads of the frames that come back, as text. */
async function exchange(frames: readonly Buffer[], awaited: string): Promise<string> {
  const socket = await sendRaw(gateway.port, upgradeLines(gateway.port));
  let seen = '';
  for (const frame of frames) socket.write(frame);
  for await (const chunk of socket) {
    seen += String(chunk);
    if (seen.includes(awaited)) break;
  }
  socket.destroy();
  return seen;
}

describe('messages of a client', () => {
  it('are answered as text', async () => {
    const client = await connectTo(gateway.url);
    client.send('{"id":1}');
    expect(await nextMessage(client)).toEqual({ data: '{"id":1}', isBinary: false });
    client.terminate();
  });

  it('may come in fragments that cut a character in two', async () => {
    const bytes = Buffer.from('["😀"]');
    const frames = [
      clientFrame(text, bytes.subarray(0, 4), false),
      clientFrame(continuation, bytes.subarray(4, 5), false),
      clientFrame(continuation, bytes.subarray(5)),
    ];
    expect(await exchange(frames, '["😀"]')).toContain('["😀"]');
  });

  it('may be empty, which is malformed but no reason to close', async () => {
    const seen = await exchange(
      [clientFrame(text, Buffer.alloc(0)), clientFrame(text, Buffer.from('[1]'))],
      '[1]',
    );
    expect(seen).toContain('malformed');
  });

  it.each([
    ['a valid message', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}')],
    ['garbage', Buffer.from([0xff, 0, 0x80])],
  ])('close the socket with 1003 and a reason when they are binary: %s', async (_, payload) => {
    const client = await connectTo(gateway.url);
    client.send(payload);
    const { code, reason } = await closing(client);
    expect(code).toBe(1003);
    expect(reason).toContain('binary');
  });

  it('close the socket with 1007 when they are not UTF-8', async () => {
    const client = await connectTo(gateway.url);
    client.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false });
    expect((await closing(client)).code).toBe(1007);
  });

  it('close the socket with 1009 when they are too large', async () => {
    const client = await connectTo(gateway.url);
    client.send(`"${'x'.repeat(1_000)}"`);
    expect((await closing(client)).code).toBe(1009);
    expect(gateway.logText()).toContain('WS_ERR_UNSUPPORTED_MESSAGE_LENGTH');
  });

  it('close the socket with 1008 when they are cut into too many fragments', async () => {
    const client = await connectTo(gateway.url);
    client.on('error', () => client.terminate());
    for (let count = 0; count < 300; count += 1) client.send('', { fin: false });
    expect((await closing(client)).code).toBe(1008);
  });

  it('close the socket with 1008 when more than ten are malformed', async () => {
    const client = await connectTo(gateway.url);
    const answers: string[] = [];
    client.on('message', (data) => answers.push(String(data)));
    for (let count = 0; count < 10; count += 1) client.send('nonsense');
    client.send('[]');
    while (!answers.includes('[]')) await once(client, 'message');
    expect(answers).toHaveLength(11);
    client.send('nonsense');
    expect((await closing(client)).code).toBe(1008);
  });

  it('are not taken any more once the socket is closing', async () => {
    const received: string[] = [];
    await using own = await startTestListener({
      receive(port, bytes) {
        received.push(bytes.toString());
        port.close(4_000, 'enough');
        return 'accepted';
      },
    });
    const client = await connectTo(own.url);
    client.send('one');
    client.send('two');
    expect((await closing(client)).code).toBe(4_000);
    expect(received).toEqual(['one']);
  });
});

describe('messages to a client', () => {
  it('arrive whole and in order, whatever their size and however they are cut', async () => {
    const sizes = [0, 1, 125, 126, 65_535, 65_536, 70_000, 2_000_000, 3];
    await using own = await startTestListener({
      receive(port) {
        for (const size of sizes) port.send(toClient('"', Buffer.alloc(size, 'a'), '"'));
        return 'accepted';
      },
    });
    const client = await connectTo(own.url);
    const lengths: number[] = [];
    client.on('message', (data) => lengths.push(String(data).length - 2));
    client.send('go');
    while (lengths.length < sizes.length) await once(client, 'message');
    expect(lengths).toEqual(sizes);
    client.terminate();
  });

  it('end with a close frame whose reason is cut to 123 bytes', async () => {
    await using own = await startTestListener({
      receive(port) {
        port.send(toClient('last'));
        port.close(4_001, '€'.repeat(100));
        port.send(toClient('never'));
        return 'accepted';
      },
    });
    const client = await connectTo(own.url);
    const messages: string[] = [];
    client.on('message', (data) => messages.push(String(data)));
    client.send('go');
    expect(await closing(client)).toEqual({ code: 4_001, reason: '€'.repeat(41) });
    expect(messages).toEqual(['last']);
  });

  it('may be sent to a client that has gone, without harm', async () => {
    const client = await connectTo(gateway.url);
    const session = gateway.seen.at(-1);
    client.close();
    await closing(client);
    session?.port.send(toClient('late'));
    session?.port.sendProgress(toClient('late'), 't');
    session?.port.close(1_001, 'late');
    expect(session?.endings).toBe(1);
  });
});

describe('a fault in the handling of a message', () => {
  it('closes that socket with 1011 and no other', async () => {
    await using own = await startTestListener({
      receive(port, bytes) {
        if (bytes.toString() === 'fault') throw new Error('a bug');
        port.send(toClient(bytes));
        return 'accepted';
      },
    });
    const [unlucky, lucky] = await Promise.all([connectTo(own.url), connectTo(own.url)]);
    unlucky.send('fault');
    expect((await closing(unlucky)).code).toBe(1_011);
    lucky.send('fine');
    expect((await nextMessage(lucky)).data).toBe('fine');
    lucky.terminate();
  });
});

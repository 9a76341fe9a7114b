import { describe, expect, it } from 'vitest';
import { scripted } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession } from '../helpers/test-client.js';

/** Text that any parse-and-write-again would change. */
const odd =
  '{"n":9223372036854775807,"f":1.0,"e":1e400,"z":-0,"long":0.1234567890123456789,"b":1,"10":2,"9":3,' +
  '"d":1,"d":2,"s":"\\u0041\\/\u2028","__proto__":{"x":1}, "gap" : [ 1 , 2 ] }';

const scriptedGateway = () => startGateway({ config: { mcpServers: { b1: scripted() } } });
const received = async (client: Awaited<ReturnType<typeof openSession>>) =>
  JSON.parse(await client.callText('b1__received')) as string[];

describe('towards the backend', () => {
  it('leaves arguments, _meta and unknown members byte for byte as they came', async () => {
    await using gateway = await scriptedGateway();
    await using client = await openSession(gateway.url);
    client.send(
      `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"arguments":${odd},"future": 1,` +
        `"_meta":{"traceparent":"00-abc-01","vendor/x":{"k":[1.0]},"progressToken":"t"},"name":"b1__echo"},"extra":${odd}}`,
    );
    await client.next();
    const line = (await received(client)).find((text) => text.includes('traceparent')) ?? '';
    expect(line).toContain(`"arguments":${odd}`);
    expect(line).toContain(`"extra":${odd}`);
    expect(line).toContain('"future": 1,');
    expect(line).toContain('"traceparent":"00-abc-01","vendor/x":{"k":[1.0]}');
    expect(line).toContain('"name":"echo"');
    expect(line).not.toContain('"t"');
  });

  it('writes an indented message as one line', async () => {
    await using gateway = await scriptedGateway();
    await using client = await openSession(gateway.url);
    client.send(
      '{\r\n  "jsonrpc": "2.0", "id": 5,\n  "method": "tools/call",\n' +
        '  "params": {"name": "b1__echo",\n "arguments": {"t": "a\\nb"}}\n}\n',
    );
    expect((await client.next()).result?.content?.[0]?.text).toBe('{"t":"a\\nb"}');
    const calls = (await received(client)).filter((line) => line.includes('"echo"'));
    expect(calls).toHaveLength(1);
    expect(JSON.parse(calls[0] ?? '')).toMatchObject({ params: { arguments: { t: 'a\nb' } } });
  });
});

describe('towards the client', () => {
  it('leaves structured content, _meta, unknown content and unknown members as they came', async () => {
    await using gateway = await scriptedGateway();
    await using client = await openSession(gateway.url);
    const result =
      `{"content":[{"type":"hologram","v":1.0}],"structuredContent":${odd},"_meta":{"x":${odd}},` +
      `"resultType":"complete","isError":false}`;
    const reply = await client.call('b1__raw', { text: `{"jsonrpc":"2.0","id":$ID,"result":${result}}` });
    expect(reply.raw).toContain(`"result":${result}`);
  });

  it.each([
    `{"code":-32042,"message":"m","data":{"elicitations":[{"u":1}]}}`,
    `{"code":-32603,"message":"","data":${odd}}`,
    `{"code":7.5,"message":"odd"}`,
    `{"code":-1,"message":"","vendor":1.0}`,
  ])("leaves a backend's error as it came: %s", async (error) => {
    await using gateway = await scriptedGateway();
    await using client = await openSession(gateway.url);
    expect((await client.call('b1__fail', { error })).raw).toContain(`"error":${error}`);
  });

  it('leaves every member of a tool entry but its name as it came', async () => {
    const entry = (name: string) =>
      `{"title":"T","name":${name},"icons":[{"src":"data:,"}],"annotations":{"readOnlyHint":true},` +
      `"outputSchema":{"type":"object"},"execution":{"taskSupport":"optional"},"_meta":{"k":${odd}},` +
      `"x-future":{"a":[1,null]},"inputSchema":{"type":"object","properties":{"n":{"maximum":9223372036854775807,"minimum":-1.0}}}}`;
    await using gateway = await startGateway({
      config: { mcpServers: { b1: scripted({ tools: `[${entry('"t\\u006fol"')}]` }) } },
    });
    await using client = await openSession(gateway.url);
    const list = await client.request('tools/list');
    expect(list.raw).toContain(`"tools":[${entry('"b1__tool"')}]`);
  });

  it('leaves the content of progress notes as it came', async () => {
    await using gateway = await scriptedGateway();
    await using client = await openSession(gateway.url);
    const line = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1.0,"progressToken":$TOKEN,"x":${odd}}}`;
    client.send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b1__notify",` +
        `"arguments":${JSON.stringify({ lines: [line] })},"_meta":{"progressToken":9007199254740993}}}`,
    );
    const note = await client.next(({ method }) => method === 'notifications/progress');
    expect(note.raw).toContain(`"params":{"progress":1.0,"progressToken":9007199254740993,"x":${odd}}`);
  });

  it('makes one clear error of an answer with both or neither of result and error, or one that is no object', async () => {
    await using gateway = await scriptedGateway();
    await using client = await openSession(gateway.url);
    for (const body of [
      '"result":{},"error":{"code":1,"message":"m"}',
      '"x":1',
      '"result":null',
      '"error":"boom"',
    ]) {
      const reply = await client.call('b1__raw', { text: `{"jsonrpc":"2.0","id":$ID,${body}}` });
      expect(reply.error).toMatchObject({ code: -32603, data: { source: 'gateway', backend: 'b1' } });
    }
  });

  it('sends text frames only', async () => {
    await using gateway = await scriptedGateway();
    await using client = await openSession(gateway.url);
    await client.callText('b1__big', { bytes: 300_000 });
    await client.toolNames();
    expect(client.binaryCount()).toBe(0);
  });
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import { startProcess } from './stdio-process.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The examples of the kit's README, in order. They have no type annotations, so all are JavaScript as well. */
async function readExamples(): Promise<readonly [string, string]> {
  const readme = await readFile(join(root, 'backends/kit/README.md'), 'utf8');
  const [tool, more] = [...readme.matchAll(/```(?:ts|js)\n(.*?)```/gs)].map(([, example]) => example);
  if (tool === undefined || more === undefined) throw new Error('the README of the kit lacks an example');
  return [tool, more];
}

/** An example as a built backend. */
async function build(example: string) {
  const folder = await mkdtemp(join(root, 'dist/backends/readme-'));
  const file = join(folder, 'main.js');
  await writeFile(file, example);
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

describe('the examples in the README of the kit', () => {
  it('run as they stand there: the tool lists, answers, refuses and reports', async () => {
    const [tool] = await readExamples();
    await using example = await build(tool);
    await using server = startProcess(example.file);
    const call = async (input: JsonObject) => {
      server.send({ id: 1, method: 'tools/call', params: { name: 'roll', arguments: input } });
      return (await server.next()).result;
    };

    server.send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    expect(await server.next()).toMatchObject({ result: { serverInfo: { name: 'dice' } } });
    server.send({ id: 1, method: 'tools/list' });
    expect(await server.next()).toMatchObject({ result: { tools: [{ name: 'roll', title: 'Roll dice' }] } });

    expect(await call({ dice: 2, label: 'luck' })).toEqual({
      content: [{ type: 'text', text: expect.stringMatching(/^luck: \d+$/) }],
      structuredContent: { rolls: [expect.any(Number), expect.any(Number)], total: expect.any(Number) },
    });
    expect(await call({ dice: 101 })).toMatchObject({
      isError: true,
      content: [{ text: '101 dice are more than the 100 on the table; roll fewer' }],
    });
    expect(await call({ dice: 0 })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"dice" must be a finite integer from 1, got 0') }],
    });

    server.stdin.end();
    await server.exited;
    expect(server.logged()).toBe('dice: rolling 2 dice\n');
  });

  it('run as they stand there: the resource is read, the prompt completed and rendered', async () => {
    const [tool, more] = await readExamples();
    await using example = await build(tool.replace(/^ *serve\(.*$/m, '') + more);
    await using server = startProcess(example.file);
    const ask = async (method: string, params: JsonObject) => {
      server.send({ id: 1, method, params });
      return (await server.next()).result;
    };

    expect(await ask('initialize', { protocolVersion: '2025-11-25' })).toMatchObject({
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    });
    expect(await ask('resources/read', { uri: 'dice://rules' })).toMatchObject({
      contents: [{ mimeType: 'text/plain', text: 'Six sides, no cheating.' }],
    });
    const ref = { type: 'ref/prompt', name: 'bet' };
    expect(await ask('completion/complete', { ref, argument: { name: 'sum', value: '1' } })).toMatchObject({
      completion: { values: ['1', '10'] },
    });
    expect(await ask('prompts/get', { name: 'bet', arguments: { sum: '10' } })).toMatchObject({
      messages: [{ role: 'user', content: { text: 'Would you bet on 10?' } }],
    });
  });
});

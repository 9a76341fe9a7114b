import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import { startProcess } from './stdio-process.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The example of the kit's README as a built backend. It has no type annotations, so it is JavaScript as well. */
async function buildExample() {
  const readme = await readFile(join(root, 'backends/kit/README.md'), 'utf8');
  const [, example] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  if (example === undefined) throw new Error('the README of the kit has no example');
  const folder = await mkdtemp(join(root, 'dist/backends/readme-'));
  const file = join(folder, 'main.js');
  await writeFile(file, example);
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

describe('the example in the README of the kit', () => {
  it('runs as it stands there: lists, answers, refuses and reports', async () => {
    await using example = await buildExample();
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
});

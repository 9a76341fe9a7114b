import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { BackendEntry } from '../helpers/fixture-backend.js';
import { type GatewayConfig, startGateway } from '../helpers/gateway-process.js';
import { openSession } from '../helpers/test-client.js';

/** What `npm start` serves, with the backends' folder spelled out, since the test's copy lies elsewhere. */
function deliveredBackends(): Record<string, BackendEntry> {
  const file = fileURLToPath(new URL('../../config/gateway.json', import.meta.url));
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as GatewayConfig;
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return Object.fromEntries(
    Object.entries(mcpServers).map(([name, entry]) => [name, { ...entry, cwd: root }]),
  );
}

it('the delivered configuration gives four tools and the right answers', async () => {
  await using gateway = await startGateway({ config: { mcpServers: deliveredBackends() } });
  await using client = await openSession(gateway.url);
  expect(await client.toolNames()).toEqual([
    'grammar__conjugate',
    'text-stats__analizar_texto',
    'text-stats__calcular_estadisticas',
    'system-info__informacion_sistema',
  ]);
  const conjugation = { verb: 'eat', tense: 'past simple', person: '3rd singular' };
  expect(await client.callText('grammar__conjugate', conjugation)).toBe('ate');
  const text = await client.call('text-stats__analizar_texto', { texto: 'Hola 🦊' });
  expect(Object.values(text.result?.structuredContent ?? {})).toContain('HOLA 🦊');
  const numbers = await client.call('text-stats__calcular_estadisticas', { numeros: Array(10).fill(0.1) });
  expect(Object.values(numbers.result?.structuredContent ?? {})).toContain(1);
  const system = await client.call('system-info__informacion_sistema');
  expect(JSON.stringify(system.result?.structuredContent)).toContain(process.platform);
  for (const { state, revision } of (await gateway.status()).backends) {
    expect({ state, revision }).toEqual({ state: 'ready', revision: '2026-07-28' });
  }
});

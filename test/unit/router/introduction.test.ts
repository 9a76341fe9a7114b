import { describe, expect, it } from 'vitest';
import type { Offer } from '../../helpers/listing-of.js';
import { createHarness, ScriptedBackend } from '../../helpers/router-harness.js';

const always = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true },
};

/** What a client is told by a gateway with these backends; one without an offer has not started. */
function introduced(
  offers: readonly (Offer | undefined)[],
  revision = '2025-11-25',
  changes: readonly object[] = [],
) {
  const backends = offers.map((_, index) => new ScriptedBackend(`b${index + 1}`, changes[index]));
  const harness = createHarness(backends);
  offers.forEach((offer, index) => {
    const backend = backends[index];
    if (offer !== undefined && backend !== undefined) harness.ready(backend, offer);
  });
  const client = harness.client();
  client.request(1, 'initialize', { protocolVersion: revision, capabilities: {}, clientInfo: {} });
  return client.last.result ?? {};
}

describe('what the gateway says of itself', () => {
  it('is the union of what its backends have, with what it always has', () => {
    const { capabilities } = introduced([
      { capabilities: { tools: {}, resources: { subscribe: true }, experimental: { a: { x: 1 } } } },
      { capabilities: { resources: { subscribe: false }, logging: {}, experimental: { b: {} } } },
    ]);
    expect(capabilities).toEqual({
      ...always,
      resources: { subscribe: true, listChanged: true },
      logging: {},
      experimental: { a: { x: 1 }, b: {} },
    });
  });

  it('has everything that a backend may turn out to have which has not started', () => {
    const { capabilities } = introduced([{ capabilities: {} }, undefined]);
    expect(Object.keys(capabilities as object).sort()).toEqual(
      ['tools', 'prompts', 'resources', 'completions', 'logging', 'tasks'].sort(),
    );
  });

  it('expects nothing of a backend that is off', () => {
    const { capabilities } = introduced([{ capabilities: {} }, undefined], '2025-11-25', [{}, { off: 'no' }]);
    expect(capabilities).toEqual(always);
  });

  it('stays the same while a backend restarts', () => {
    const backend = new ScriptedBackend('b1');
    const harness = createHarness([backend]);
    harness.ready(backend, { capabilities: { logging: {} }, instructions: 'read me' });
    harness.crash(backend);
    const client = harness.client();
    client.request(1, 'initialize', { protocolVersion: '2025-11-25' });
    expect(client.last.result).toMatchObject({
      capabilities: { ...always, logging: {} },
      instructions: '## b1\n\nread me',
    });
  });

  it.each([
    ['2024-11-05', ['logging', 'prompts', 'resources', 'tools']],
    ['2025-03-26', ['completions', 'logging', 'prompts', 'resources', 'tools']],
    ['2025-06-18', ['completions', 'logging', 'prompts', 'resources', 'tools']],
    ['2025-11-25', ['completions', 'logging', 'prompts', 'resources', 'tasks', 'tools']],
  ])('shows a client on %s what that revision knows', (revision, names) => {
    const { capabilities } = introduced([undefined], revision);
    expect(Object.keys(capabilities as object).sort()).toEqual(names);
  });

  it('holds the instructions of all backends under their names', () => {
    const offers = [{ instructions: 'one' }, {}, { instructions: 'two' }];
    const { instructions } = introduced(offers, '2025-11-25', [{ namespace: '' }, {}, { namespace: 'x' }]);
    expect(instructions).toBe('## b1\n\none\n\n## x\n\ntwo');
  });

  it('has no instructions where no backend has any', () => {
    expect(introduced([{}])).not.toHaveProperty('instructions');
  });

  it('cuts instructions of any length, never through a character', () => {
    const one = introduced([{ instructions: `x${'🦊'.repeat(10_000)}` }]).instructions;
    expect(one).toHaveLength('## b1\n\n'.length + 4_000);
    expect(one).toMatch(/🦊…$/u);
    const many = introduced(Array.from({ length: 9 }, () => ({ instructions: 'x'.repeat(10_000) })));
    expect(String(many.instructions).length).toBe(16_001);
  });
});

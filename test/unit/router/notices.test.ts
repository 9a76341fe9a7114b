import { beforeEach, describe, expect, it } from 'vitest';
import type { Offer } from '../../helpers/listing-of.js';
import { createHarness, ScriptedBackend, type ScriptedClient } from '../../helpers/router-harness.js';

/** Longer than changes are gathered. */
const windowMs = 150;

describe('a notice of a changed list', () => {
  let backend: ScriptedBackend;
  let other: ScriptedBackend;
  let harness: ReturnType<typeof createHarness>;
  let client: ScriptedClient;

  beforeEach(() => {
    backend = new ScriptedBackend('b1');
    other = new ScriptedBackend('b2');
    harness = createHarness([backend, other]);
    for (const each of [backend, other]) harness.ready(each, ['echo']);
    client = harness.client();
    client.initialize();
  });

  const list = (method = 'tools/list') => client.request(`${client.texts.length}`, method);
  const told = () => client.heard.flatMap(({ method }) => method ?? []);

  it.each<[keyof Offer, string]>([
    ['tools', 'notifications/tools/list_changed'],
    ['prompts', 'notifications/prompts/list_changed'],
    ['resources', 'notifications/resources/list_changed'],
    ['resourceTemplates', 'notifications/resources/list_changed'],
  ])('for %s is %s', (kind, method) => {
    harness.ready(backend, { tools: ['echo'], [kind]: ['new:{x}'] });
    harness.clock.advance(windowMs);
    expect(told()).toEqual([method]);
  });

  it('is one for changes at several backends in 100 ms', () => {
    harness.list(backend, ['echo', 'new']);
    harness.clock.advance(90);
    harness.list(other, ['echo', 'new']);
    harness.clock.advance(windowMs);
    expect(told()).toEqual(['notifications/tools/list_changed']);
  });

  it('does not come for a change that is taken back, nor for one that was read meanwhile', () => {
    list();
    harness.list(backend, ['echo', 'new']);
    harness.list(backend, ['echo']);
    harness.clock.advance(windowMs);
    harness.list(other, ['echo', 'new']);
    list();
    harness.clock.advance(windowMs);
    expect(told()).toEqual([]);
  });

  it('comes to whoever read the list before the change, and again for the next change', () => {
    for (const tools of [
      ['echo', 'a'],
      ['echo', 'b'],
    ]) {
      list();
      harness.list(backend, tools);
      harness.clock.advance(windowMs);
    }
    expect(told()).toHaveLength(2);
  });
});

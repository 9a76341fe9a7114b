import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import { capabilitiesOf, hasCapability } from '../../../src/router/capabilities.js';
import { createHarness, ScriptedBackend } from '../../helpers/router-harness.js';

function peer(capabilities: JsonObject, revision = '2025-11-25') {
  return { era: 'legacy' as const, revision, capabilities, serverInfo: {}, instructions: undefined };
}

describe('a capability', () => {
  it.each([
    [{ logging: {} }, ['logging'], true],
    [{ resources: { subscribe: true } }, ['resources', 'subscribe'], true],
    [{ resources: { subscribe: false } }, ['resources', 'subscribe'], false],
    [{ resources: true }, ['resources', 'subscribe'], false],
    [{ logging: null }, ['logging'], false],
    [{ logging: 'yes' }, ['logging'], false],
    [{}, ['logging'], false],
  ])('of %j at %j: %s', (capabilities, path, expected) => {
    expect(hasCapability(peer(capabilities), path)).toBe(expected);
  });

  it('to complete can be there unsaid in the first revision, and only there', () => {
    expect(capabilitiesOf(peer({}, '2024-11-05'))).toEqual({ completions: {} });
    expect(capabilitiesOf(peer({}, '2025-03-26'))).toEqual({});
  });
});

const needy = [
  ['logging/setLevel', { level: 'debug' }, 'logging'],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'b1__ask' } }, 'completions'],
  ['resources/subscribe', { uri: 'a:1' }, 'resources.subscribe'],
  ['resources/unsubscribe', { uri: 'a:1' }, 'resources.subscribe'],
  ['tasks/get', { taskId: 't' }, 'tasks'],
  ['tasks/result', { taskId: 't' }, 'tasks'],
  ['tasks/list', {}, 'tasks.list'],
  ['tasks/cancel', { taskId: 't' }, 'tasks.cancel'],
] as const;

describe.each(needy)('%s', (method, params, capability) => {
  const poor = { prompts: ['ask'], resources: ['a:1'], capabilities: { prompts: {}, resources: {} } };

  function set(changes: readonly object[]) {
    const backends = changes.map((change, index) => new ScriptedBackend(`b${index + 1}`, change));
    const harness = createHarness(backends);
    harness.ready(backends[0] as ScriptedBackend, poor);
    const client = harness.client();
    client.initialize();
    const code = () => {
      client.request(1, method, params);
      const answer = client.heard.at(-1);
      client.cancel(1);
      return answer?.error?.code;
    };
    return { backends, harness, client, code };
  }

  it('does not exist where no backend has the capability', () => {
    const { client, code } = set([{}]);
    expect(code()).toBe(-32601);
    expect(client.last.error?.message).toBe(
      `"${method}" needs a backend with the capability "${capability}", and none here has it`,
    );
  });

  it('exists while a backend has not said yet what it has, and no longer once all have', () => {
    const { backends, harness, code } = set([{}, {}]);
    expect(code()).not.toBe(-32601);
    harness.ready(backends[1] as ScriptedBackend, { capabilities: {} });
    expect(code()).toBe(-32601);
    harness.crash(backends[1] as ScriptedBackend);
    expect(code()).toBe(-32601);
  });

  it('exists where one backend has the capability, also while that restarts', () => {
    const { backends, harness, code } = set([{}, {}]);
    const capabilities = { logging: {}, completions: {}, resources: { subscribe: true } };
    const tasks = { list: {}, cancel: {} };
    harness.ready(backends[1] as ScriptedBackend, { capabilities: { ...capabilities, tasks } });
    expect(code()).not.toBe(-32601);
    harness.crash(backends[1] as ScriptedBackend);
    expect(code()).not.toBe(-32601);
  });

  it('exists while the own process of a session may turn out to have it, unless that is off', () => {
    expect(set([{}, { sharing: 'per-client' }]).code()).not.toBe(-32601);
    expect(set([{}, { sharing: 'per-client', off: 'no' }]).code()).toBe(-32601);
  });
});

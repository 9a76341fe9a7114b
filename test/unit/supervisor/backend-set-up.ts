import { pino } from 'pino';
import type { Exit } from '../../../src/router/ports.js';
import type { GatewayId } from '../../../src/shared/ids.js';
import type { BackendSettings } from '../../../src/shared/settings.js';
import { Backend } from '../../../src/supervisor/backend.js';
import { EraMemory } from '../../../src/supervisor/era-memory.js';
import { createFakeClock } from '../../helpers/fake-clock.js';
import { backendSettings } from '../../helpers/settings.js';
import { type Answer, createFakeLaunch, serverWith, settle } from './fake-process.js';

/** A backend with fake processes and a fake clock, and what it told, in order. Of the legacy era unless changed. */
export function setUp(
  answer: Answer = serverWith('echo'),
  changes: Partial<BackendSettings> = {},
  eras = new EraMemory(),
) {
  const clock = createFakeClock();
  const fake = createFakeLaunch(answer);
  const told: string[] = [];
  const exits: Exit[] = [];
  let id = 0;
  const backend = new Backend({
    settings: backendSettings({ era: 'legacy', ...changes }),
    eras,
    introduction: { clientInfo: { name: 'gateway', version: '0' }, capabilities: {} },
    env: {},
    launch: fake.launch,
    clock,
    log: pino({ level: 'silent' }),
    nextId: () => {
      id += 1;
      return id as GatewayId;
    },
    random: () => 0.999,
    events: {
      message: (_backend, message) =>
        told.push(`message ${'method' in message ? message.method : message.kind}`),
      undeliverable: (_backend, lostId, problem) => told.push(`undeliverable ${lostId} ${problem}`),
      state: (_backend, from) => told.push(`${from.kind} to ${backend.state.kind}`),
      exit: (_backend, exit) => {
        exits.push(exit);
        told.push(`exit ${exit.reason}`);
      },
      listing: (_backend, { entries }) =>
        told.push(`listing ${entries.tools.map(({ identifier }) => identifier)}`),
    },
  });
  /** Moves time on in small steps, so that what waits for promises is not overtaken. */
  async function pass(ms: number, stepMs = 100): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.advance(stepMs);
      await settle();
    }
  }
  return { backend, clock, fake, told, exits, pass };
}

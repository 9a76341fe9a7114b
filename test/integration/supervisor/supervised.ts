import { pino } from 'pino';
import type { Message } from '../../../src/protocol/message.js';
import type { BackendPort, Exit } from '../../../src/router/ports.js';
import { systemClock } from '../../../src/shared/clock.js';
import type { BackendKey, GatewayId } from '../../../src/shared/ids.js';
import type { BackendSettings } from '../../../src/shared/settings.js';
import type { Backend } from '../../../src/supervisor/backend.js';
import { createSupervisor, type Supervisor } from '../../../src/supervisor/supervisor.js';
import { backendSettings } from '../../helpers/settings.js';
import { quickStop } from './started-process.js';

type Change = Partial<Omit<BackendSettings, 'key'>>;

/** A supervisor with real processes. Killed when the test is over. */
export class Supervised implements AsyncDisposable {
  readonly supervisor: Supervisor;
  readonly exits: [BackendKey, Exit][] = [];
  readonly messages: [BackendKey, Message][] = [];
  readonly tools = new Map<BackendKey, readonly string[]>();

  constructor(backends: Record<string, Change>, env: NodeJS.ProcessEnv = process.env) {
    let id = 0;
    this.supervisor = createSupervisor({
      backends: Object.entries(backends).map(([key, change]) =>
        backendSettings({ command: process.execPath, stop: quickStop, ...change, key: key as BackendKey }),
      ),
      events: {
        message: (backend, message) => this.messages.push([backend.key, message]),
        undeliverable: () => undefined,
        state: () => undefined,
        exit: (backend, exit) => this.exits.push([backend.key, exit]),
        listing: (backend: BackendPort, { entries }) =>
          this.tools.set(
            backend.key,
            entries.tools.map(({ identifier }) => identifier),
          ),
      },
      log: pino({ level: 'silent' }),
      clock: systemClock,
      nextId: () => {
        id += 1;
        return id as GatewayId;
      },
      clientInfo: { name: 'gateway', version: '0' },
      capabilities: {},
      env,
    });
    this.supervisor.start();
  }

  get(key: string): Backend {
    const backend = this.supervisor.backends.find((one) => one.key === key);
    if (backend === undefined) throw new Error(`no backend "${key}"`);
    return backend;
  }

  pid(key: string): number {
    const { pid } = this.get(key).status();
    if (pid === null) throw new Error(`backend "${key}" has no process`);
    return pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.supervisor.killAll();
    await this.supervisor.stop();
  }
}

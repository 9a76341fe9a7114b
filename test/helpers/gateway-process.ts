import { randomUUID } from 'node:crypto';
import { temporaryFolder } from './config-file.js';
import { eventually } from './eventually.js';
import type { BackendEntry } from './fixture-backend.js';
import { childrenOf, type ProcessRecord, processesWithMarker } from './processes.js';
import { baseEnvironment, type Ending, spawnMain } from './program.js';

/** A configuration as it stands in the file. */
export interface GatewayConfig {
  readonly mcpServers: Readonly<Record<string, BackendEntry>>;
  readonly catalog?: Readonly<Record<string, unknown>>;
  readonly [setting: string]: unknown;
}

export interface GatewayOptions {
  readonly config: GatewayConfig;
  /** Further arguments of `serve`. */
  readonly args?: readonly string[];
  /** The gateway's whole environment. Default: PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
  /** What to wait for: the bound listener, or (default) every backend's first start. */
  readonly until?: 'listening' | 'started';
}

/** One line of the gateway's log. */
type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string };

/** What `/status` says of one backend. */
interface BackendStatus {
  readonly name: string;
  readonly namespace: string;
  readonly state: string;
  readonly revision: string | null;
  readonly pid: number | null;
  readonly starts: number;
  readonly restarts: number;
  readonly lastExit: unknown;
  readonly reason: string | null;
  readonly inFlight: number;
  readonly queued: number;
  readonly tools: number;
  readonly noiseLines: number;
  readonly lastNoise: readonly string[];
  readonly stderrTail: string;
  readonly warnings: readonly string[];
}

interface Status {
  readonly version: string;
  readonly uptimeMs: number;
  readonly draining: boolean;
  readonly sessions: number;
  readonly inFlight: number;
  readonly backends: readonly BackendStatus[];
}

/** A gateway as a real process. Leaving its scope ends it and fails the test if a process of it is left. */
export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
  readonly adminUrl: string;
  readonly pid: number;
  /** Every log line so far. */
  readonly logs: readonly LogLine[];
  /** Everything it wrote, as text: stdout, then stderr. */
  output(): string;
  /** The first line, past or future, that fits. */
  waitForLog(fits: (line: LogLine) => boolean, timeoutMs?: number): Promise<LogLine>;
  status(): Promise<Status>;
  backend(name: string): Promise<BackendStatus>;
  /** Waits until a backend's status fits and gives it. */
  backendWhen(
    name: string,
    fits: (backend: BackendStatus) => boolean,
    timeoutMs?: number,
  ): Promise<BackendStatus>;
  signal(signal: NodeJS.Signals): void;
  /** Sends `signal` (default SIGTERM) and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ending>;
  /** How it ended, once it has. */
  readonly ending: Promise<Ending>;
  /** Living processes that it or its backends started, however deep. */
  descendants(): ProcessRecord[];
  /** Its own children, zombies included. */
  children(): ProcessRecord[];
  /** Closes our end of its output, as a log collector does that dies. */
  closeOutput(stream: 'stdout' | 'stderr'): void;
  /** Stops reading its log, as a collector does that hangs. @returns what reads on */
  pauseOutput(): () => void;
}

/** A test's last resort: after this time the gateway has lost its chance to end by itself. */
const stopLimitMs = 8_000;

/** How long the operating system may take to clear away what was killed. */
const leakLimitMs = 1_500;

/**
 * Short times, so that a test never waits for a default made for production; but the first lists wait for every
 * backend, since on a cold and busy machine a process may take long to start.
 */
const quick = {
  listen: { host: '127.0.0.1', port: 0 },
  catalog: { grace: '30s' },
  drain: { timeout: '1s' },
  stop: { endOfInput: '400ms', terminate: '400ms' },
  restart: { base: '20ms', cap: '200ms' },
};

/** Starts the built gateway on free ports of the loopback, with `quick` settings where the test names none. */
export async function startGateway(options: GatewayOptions): Promise<GatewayProcess> {
  const folder = temporaryFolder();
  const marker = `SWITCHBOARD_TEST=${randomUUID()}`;
  const file = folder.write('gateway.json', {
    ...quick,
    ...options.config,
    catalog: { ...quick.catalog, ...options.config.catalog },
    mcpServers: marked(options, marker),
  });
  const admin = options.args?.includes('--admin') ? [] : ['--admin', '127.0.0.1:0'];
  const args = ['serve', '--config', file, '--listen', '127.0.0.1:0', ...admin];
  const logs: LogLine[] = [];
  const plainLines: string[] = [];
  const watchers = new Set<() => void>();
  const { child, stderr, ending } = spawnMain(
    [...args, ...(options.args ?? [])],
    options.env ?? baseEnvironment(),
    (line) => {
      const parsed = parseLog(line);
      if (parsed === undefined) plainLines.push(line);
      else logs.push(parsed);
      for (const watcher of watchers) watcher();
    },
  );
  let ended: Ending | undefined;
  void ending.then((end) => {
    ended = end;
    for (const watcher of watchers) watcher();
  });
  const output = () => [...plainLines, ...logs.map((line) => JSON.stringify(line)), stderr()].join('\n');

  const waitForLog: GatewayProcess['waitForLog'] = (fits, timeoutMs = 10_000) =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        watchers.delete(look);
        act();
      };
      const look = () => {
        const line = logs.find(fits);
        if (line !== undefined) settle(() => resolve(line));
        else if (ended !== undefined) settle(() => reject(failure('the gateway ended first')));
      };
      const failure = (what: string) =>
        new Error(`no such log line: ${what}; its output:\n${output().slice(-4_000)}`);
      const timer = setTimeout(() => settle(() => reject(failure(`not within ${timeoutMs} ms`))), timeoutMs);
      watchers.add(look);
      look();
    });

  const dispose = async () => {
    let forced = false;
    child.stdout?.resume();
    if (ended === undefined) child.kill('SIGTERM');
    const stubborn = setTimeout(() => {
      forced = child.kill('SIGKILL');
    }, stopLimitMs);
    await ending;
    clearTimeout(stubborn);
    const leaked = await eventually('the end of all processes', () => leaks(marker), leakLimitMs).catch(() =>
      processesWithMarker(marker),
    );
    for (const { pid } of leaked) process.kill(pid, 'SIGKILL');
    folder[Symbol.dispose]();
    if (leaked.length > 0) throw new Error(`the gateway left processes behind: ${JSON.stringify(leaked)}`);
    if (forced) throw new Error(`the gateway did not end within ${stopLimitMs} ms of SIGTERM`);
  };

  try {
    const listening = await waitForLog(({ msg }) => msg === 'listening');
    if (options.until !== 'listening') await waitForLog(({ msg }) => msg === 'started', 15_000);
    const adminUrl = String(listening.adminUrl);
    const status = async () => (await (await fetch(`${adminUrl}/status`)).json()) as Status;
    const backend = async (name: string) => {
      const found = (await status()).backends.find((candidate) => candidate.name === name);
      if (found === undefined) throw new Error(`the status names no backend "${name}"`);
      return found;
    };
    return {
      url: String(listening.url),
      adminUrl,
      pid: child.pid as number,
      logs,
      output,
      waitForLog,
      status,
      backend,
      backendWhen: (name, fits, timeoutMs) =>
        eventually(
          `backend ${name}`,
          async () => {
            const found = await backend(name);
            return fits(found) && found;
          },
          timeoutMs,
        ),
      signal: (signal) => void child.kill(signal),
      stop(signal = 'SIGTERM') {
        child.kill(signal);
        return ending;
      },
      ending,
      descendants: () => processesWithMarker(marker),
      children: () => childrenOf(child.pid as number),
      closeOutput: (stream) => void child[stream]?.destroy(),
      pauseOutput() {
        child.stdout?.pause();
        return () => void child.stdout?.resume();
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Every process of a backend carries the marker in its environment, and so do its children. */
function marked({ config }: GatewayOptions, marker: string): Record<string, BackendEntry> {
  const [name = '', value = ''] = marker.split('=');
  return Object.fromEntries(
    Object.entries(config.mcpServers).map(([key, entry]) => [
      key,
      { ...entry, env: { ...entry.env, [name]: value } },
    ]),
  );
}

function leaks(marker: string): ProcessRecord[] | undefined {
  const left = processesWithMarker(marker);
  return left.length === 0 ? left : undefined;
}

function parseLog(line: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'msg' in value ? (value as LogLine) : undefined;
  } catch {
    return undefined;
  }
}

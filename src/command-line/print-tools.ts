import { pino } from 'pino';
import { Catalog } from '../catalog/catalog.js';
import { listKinds } from '../protocol/listing.js';
import type { BackendEvents, BackendPort } from '../router/ports.js';
import { systemClock } from '../shared/clock.js';
import type { GatewayId } from '../shared/ids.js';
import { product } from '../shared/product.js';
import type { Settings } from '../shared/settings.js';
import { createSupervisor } from '../supervisor/supervisor.js';
import { tellWhatIsOff } from './check.js';
import { exitCodes } from './exit-codes.js';
import { print } from './print.js';
import { stopSignal } from './stop-signals.js';

/** Of a backend that failed: enough for an error and its cause, and not a whole stack. */
const maxStderrLines = 5;

const headings = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resource templates',
} as const;

/**
 * Starts every backend once, prints the merged catalog, and stops them.
 * @returns the exit code: 0 when every backend that is not off could be listed, else 69; 1 when a signal came first
 */
export async function printTools(settings: Settings): Promise<number> {
  let lastId = 0;
  const supervisor = createSupervisor({
    backends: settings.backends,
    events: ignoreAllButListings((port, listing) => {
      catalog.put({ ...port.settings, owner: port, listing });
    }),
    log: pino({ level: 'silent' }),
    clock: systemClock,
    nextId: () => {
      lastId += 1;
      return lastId as GatewayId;
    },
    clientInfo: product,
    capabilities: {},
    env: process.env,
  });
  const catalog = new Catalog<BackendPort>(
    settings.backends.map(({ key }) => key),
    { naming: settings.naming, pageSize: 0 },
  );
  process.once('exit', () => supervisor.killAll());
  const stop = stopSignal(() => process.exit(exitCodes.forced));
  supervisor.start();
  const interrupted = await Promise.race([stop, supervisor.started]);
  const failed = supervisor.status().filter(({ state }) => state !== 'ready' && state !== 'off');
  await supervisor.stop();
  if (interrupted !== undefined) return exitCodes.forced;

  const lines = listKinds.flatMap((kind) => {
    const entries = catalog.view.entries(kind).map(({ shownAs, backend }) => `  ${shownAs}  (${backend})`);
    return entries.length === 0 ? [] : [`${headings[kind]}:`, ...entries];
  });
  await print(lines);
  tellWhatIsOff(settings);
  for (const { name, reason, stderrTail } of failed) {
    console.error(`backend "${name}": ${reason ?? 'not ready'}`);
    for (const line of lastLines(stderrTail)) console.error(`  ${line}`);
  }
  for (const { backend, text } of catalog.view.warnings) console.error(`backend "${backend}": ${text}`);
  return failed.length === 0 ? exitCodes.clean : exitCodes.unavailable;
}

/** The end of what a backend wrote to stderr, which often says why it failed. */
function lastLines(stderrTail: string): string[] {
  return stderrTail
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .slice(-maxStderrLines);
}

function ignoreAllButListings(take: BackendEvents['listing']): BackendEvents {
  return {
    message: () => undefined,
    undeliverable: () => undefined,
    state: () => undefined,
    exit: () => undefined,
    listing: take,
  };
}

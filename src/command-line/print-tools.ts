import { pino } from 'pino';
import { Catalog } from '../catalog/catalog.js';
import { listKinds } from '../protocol/listing.js';
import type { BackendEvents, BackendPort } from '../router/ports.js';
import { systemClock } from '../shared/clock.js';
import type { GatewayId } from '../shared/ids.js';
import { product } from '../shared/product.js';
import type { Settings } from '../shared/settings.js';
import { createSupervisor } from '../supervisor/supervisor.js';
import { exitCodes } from './exit-codes.js';
import { stopSignal } from './stop-signals.js';

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

  for (const kind of listKinds) {
    const entries = catalog.view.entries(kind);
    if (entries.length === 0) continue;
    console.log(`${headings[kind]}:`);
    for (const { shownAs, backend } of entries) console.log(`  ${shownAs}  (${backend})`);
  }
  for (const { name, reason } of failed) console.error(`backend "${name}": ${reason ?? 'not ready'}`);
  for (const { backend, text } of catalog.view.warnings) console.error(`backend "${backend}": ${text}`);
  return failed.length === 0 ? exitCodes.clean : exitCodes.unavailable;
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

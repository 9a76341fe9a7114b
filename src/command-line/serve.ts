import { startGateway } from '../gateway.js';
import type { Settings } from '../shared/settings.js';
import { createLog } from './create-log.js';
import { exitCodes } from './exit-codes.js';
import { stopSignal } from './stop-signals.js';

/**
 * Runs the gateway until it is told to stop.
 * @returns the exit code: 0 after a clean drain, 69 when a required backend never became ready
 * @throws {ListenError} when a port cannot be bound
 */
export async function serve(settings: Settings): Promise<number> {
  const log = await createLog(settings.log.level);
  // Listened for before there is anything to stop, so that an early signal is not the end of us alone.
  const stop = stopSignal((signal) => {
    log.warn({ signal }, 'forced to stop');
    process.exit(exitCodes.forced);
  });
  const gateway = await startGateway({ settings, log });
  log.info({ url: gateway.url, adminUrl: gateway.adminUrl }, 'listening');
  void gateway.started.then((outcome) => log.info(outcome, 'started'));

  // Whatever ends the program, no backend outlives it.
  process.once('exit', () => gateway.kill());
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'internal error');
    process.exit(exitCodes.internal);
  });
  const end = await Promise.race([stop, gateway.requiredFailed.then((backend) => ({ backend }))]);
  if ('signal' in end) log.info(end, 'draining');
  else log.fatal(end, 'required backend is not available; giving up');
  await gateway.stop();
  log.info('stopped');
  return 'signal' in end ? exitCodes.clean : exitCodes.unavailable;
}

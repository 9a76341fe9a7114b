import { toolsList } from '../requests.mjs';

/**
 * From the start of the process to the first list of tools in a client's hands.
 * @type {import('../scenarios.mjs').Run}
 */
export async function startUp({ start }) {
  const beganMs = performance.now();
  const side = await start({});
  const [caller] = await side.connect(1);
  await caller.ask(toolsList(side, caller, 'payload'));
  return { startUpMs: performance.now() - beganMs };
}

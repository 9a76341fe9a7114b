import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberSteps } from '../../helpers/router-member-steps.js';
import { serverSteps } from '../../helpers/router-server-steps.js';
import { World } from '../../helpers/router-world.js';

/** Longer than any call may take in that world. */
const longEnoughMs = 4_000;

describe('the router, whatever its neighbours do', () => {
  it('answers each request once, tells strangers nothing and forgets those who have left', async () => {
    const stories = fc.commands([...memberSteps, ...serverSteps], { maxCommands: 60, size: '+1' });
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        const world = new World();
        try {
          world.join({ elicitation: {}, sampling: {} });
          world.join({ elicitation: {} });
          await fc.asyncModelRun(() => ({ model: {}, real: world }), story);
          await allIsAnswered(world);
          await allIsForgotten(world);
        } catch (error) {
          throw new Error(world.story.join(';\n'), { cause: error });
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** Nobody does anything any more: what waits for a backend is ended by its deadline. */
async function allIsAnswered(world: World): Promise<void> {
  for (const { backend } of world.servers) {
    for (const request of backend.held?.splice(0) ?? []) request.answer({ result: {} });
  }
  await world.check();
  world.harness.clock.advance(longEnoughMs);
  await world.check();
  for (const { backend } of world.servers) {
    for (const request of backend.held?.splice(0) ?? []) request.answer({ result: {} });
  }
  await world.check();
  const open = world.present.flatMap(({ asked }) => asked.filter(({ state }) => state === 'open'));
  expect(open).toEqual([]);
}

async function allIsForgotten(world: World): Promise<void> {
  for (const member of world.present) world.leave(member);
  await world.check();
  world.harness.clock.advance(longEnoughMs);
  const { router, clock, created } = world.harness;
  expect(router.inFlight).toBe(0);
  expect(Object.entries(router.held).filter(([, size]) => size !== 0)).toEqual([]);
  expect(clock.pending).toBe(0);
  expect(created.every(({ stopped }) => stopped)).toBe(true);
  expect(router.ownProcesses(created[0]?.key ?? ('own' as never))).toBe(0);
}

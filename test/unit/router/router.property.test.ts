import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Era } from '../../../src/eras/backend-side.js';
import { memberSteps } from '../../helpers/router-member-steps.js';
import { modernSteps } from '../../helpers/router-modern-steps.js';
import type { Manner } from '../../helpers/router-parties.js';
import { serverSteps } from '../../helpers/router-server-steps.js';
import { type Eras, World } from '../../helpers/router-world.js';

/** Longer than any call may take in that world. */
const longEnoughMs = 4_000;

const era = fc.constantFrom<Era>('legacy', 'modern');
const eras = fc.record({ b1: era, b2: era, own: era });
const manner = fc.constantFrom<Manner>('legacy', 'modern', 'both');
const manners = fc.tuple(manner, manner);

const steps = [...memberSteps, ...modernSteps, ...serverSteps];
const stories = fc.commands(steps, { maxCommands: 80, size: 'max' });
type Story = Parameters<typeof fc.asyncModelRun<object, World, false, object>>[1];

describe('the router, whatever its neighbours do', () => {
  it('answers each request once, tells strangers nothing and forgets those who have left', async () => {
    await fc.assert(
      fc.asyncProperty(eras, manners, stories, async (theirEras, theirManners, story) => {
        await inWorld(theirEras, theirManners, async (world) => {
          await happens(world, story);
          await allIsAnswered(world);
        });
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  it('answers each request once when it is stopped in the middle', async () => {
    const ends = fc.commands(steps, { maxCommands: 20, size: 'max' });
    await fc.assert(
      fc.asyncProperty(eras, manners, stories, ends, async (theirEras, theirManners, story, end) => {
        await inWorld(theirEras, theirManners, async (world) => {
          await happens(world, story);
          await drains(world, end);
        });
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});

async function inWorld(
  theirEras: Eras,
  [first, second]: readonly [Manner, Manner],
  live: (world: World) => Promise<void>,
): Promise<void> {
  const world = new World(theirEras);
  try {
    world.join(first, { elicitation: {}, sampling: {} });
    world.join(second, { elicitation: {} });
    await live(world);
    await allIsForgotten(world);
  } catch (error) {
    throw new Error(world.story.join(';\n'), { cause: error });
  }
}

function happens(world: World, story: Story): Promise<void> {
  return fc.asyncModelRun(() => ({ model: {}, real: world }), story);
}

/** The time for it runs out while things still happen. */
async function drains(world: World, end: Story): Promise<void> {
  const { router, clock } = world.harness;
  world.story.push('the gateway drains');
  const drained = router.drain(longEnoughMs);
  await world.check();
  await happens(world, end);
  clock.advance(longEnoughMs);
  await drained;
  await world.check();
  expect(world.present.flatMap(({ asked }) => asked.filter(({ state }) => state === 'open'))).toEqual([]);
}

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
  // A stream has its answer when it ends.
  const open = world.present.flatMap(({ asked }) =>
    asked.filter(({ state, method }) => state === 'open' && method !== 'subscriptions/listen'),
  );
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

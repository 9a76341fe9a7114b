import fc from 'fast-check';
import type { Member, Server, Work } from './router-parties.js';
import type { World } from './router-world.js';

/** Makes something happen, and says in a sentence what it was; `undefined` when nothing could. */
type Act = (world: World) => string | undefined;

/** One thing that happens in a world, which keeps the story. */
export class Step implements fc.AsyncCommand<object, World> {
  readonly #act: Act;

  constructor(act: Act) {
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(_model: object, world: World): Promise<void> {
    const sentence = this.#act(world);
    if (sentence !== undefined) world.story.push(sentence);
    await world.check();
  }

  /** The same step is another sentence in another story. */
  toString(): string {
    return 'step';
  }
}

export const pick = fc.nat(11);

export function chosen<T>(from: readonly T[], index: number): T | undefined {
  return from[index % from.length];
}

/** A step as one of so many, because it happens often. */
export function often<T>(weight: number, step: T): readonly T[] {
  return Array.from({ length: weight }, () => step);
}

/** A step of a member that is meant; `choice` is for whatever else is to be chosen. */
export function memberStep(
  act: (world: World, member: Member, choice: number) => string | undefined,
  isMeant: (member: Member) => boolean = () => true,
) {
  return fc.tuple(pick, pick).map(
    ([who, choice]) =>
      new Step((world) => {
        const member = chosen(world.present.filter(isMeant), who);
        const told = member && act(world, member, choice);
        return told && `client ${member?.name} ${told}`;
      }),
  );
}

/** A step of a process that is ready, and meant. */
export function serverStep(
  act: (world: World, server: Server, choice: number) => string | undefined,
  isMeant: (server: Server, world: World) => boolean = () => true,
) {
  return fc.tuple(pick, pick).map(
    ([who, choice]) =>
      new Step((world) => {
        const servers = world.servers.filter((server) => server.alive && isMeant(server, world));
        const server = chosen(servers, who);
        const told = server && act(world, server, choice);
        return told && `${server?.backend.key} ${told}`;
      }),
  );
}

/** A step of a process with a request that it works on. */
export function workStep(
  act: (world: World, server: Server, work: Work) => string,
  isMeant: (server: Server, work: Work) => boolean = () => true,
) {
  const open = (server: Server) => server.work.filter((work) => !work.done && isMeant(server, work));
  return serverStep(
    (world, server, choice) => {
      const work = chosen(open(server), choice);
      return work && act(world, server, work);
    },
    (server) => open(server).length > 0,
  );
}

export const uris = ['note://1', 'note://2'];
export const levels = ['debug', 'warning', 'error'];

import { describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js';
import { type Conversation, converse } from './conversation.js';
import { type Naming, shownName } from './naming.js';
import { publishedServers } from './published-servers.js';
import { type Side, throughGateway } from './sides.js';
import type { TapeEvent } from './tape.js';

const revision = '2025-11-25';
const answersQuestions = { sampling: {}, elicitation: { form: {}, url: {} } };

/** A gateway with one shared server-everything. */
async function startShared(): Promise<GatewayProcess> {
  const server = publishedServers.find(({ name }) => name === 'everything');
  if (server === undefined) throw new Error('the table has no server-everything');
  return await startGateway({ config: { mcpServers: { e: server.start('') } } });
}

/** A client whose person and model say their own name. Its ids and progress tokens count from 0, as the SDK's do. */
async function connect(url: string, name: string, capabilities: object = answersQuestions): Promise<Side> {
  const side = await throughGateway(url, { name, revision, capabilities });
  side.answers.form = { name: `person of ${name}` };
  side.answers.sampling = `model of ${name}`;
  return side;
}

const naming: Naming = { namespace: 'e', uris: 'original', backend: 'e' };
const talkOf = (side: Side) => converse(side, naming, '');

function textsOf(result: Awaited<ReturnType<Conversation['call']>>): string {
  return JSON.stringify(result?.content);
}

function questionsTo({ tape }: Side): TapeEvent[] {
  return tape.steps.flatMap(({ events }) => events.filter((event) => 'question' in event));
}

const isStatus = (event: TapeEvent) => 'notice' in event && event.notice === 'notifications/tasks/status';
const isProgress = (event: TapeEvent) => 'notice' in event && event.notice === 'notifications/progress';

/** Keeps a call in flight until `release`; resolves once the server is at work on it. */
async function holdCall(side: Side): Promise<{ release: () => Promise<void>; answered: () => boolean }> {
  const stop = new AbortController();
  let answered = false;
  side.tape.step('a call that stays in flight');
  const name = shownName(naming, 'trigger-long-running-operation');
  // Longer than anything that happens meanwhile; it is cancelled.
  const call = side.client
    .callTool({ name, arguments: { duration: 60, steps: 3_000 } }, undefined, {
      signal: stop.signal,
      onprogress: () => undefined,
    })
    .then(() => {
      answered = true;
    })
    .catch(() => undefined);
  await side.tape.until('progress', isProgress);
  return {
    answered: () => answered,
    async release() {
      stop.abort('no longer needed');
      await call;
      // Answered after the cancellation was read, since one socket keeps its order.
      await side.client.ping();
    },
  };
}

describe('two official clients on one shared server-everything', () => {
  it('asks the one whose call it is, and gives the answer to that call', async () => {
    await using gateway = await startShared();
    await using ada = await connect(gateway.url, 'Ada');
    await using bob = await connect(gateway.url, 'Bob');
    for (const side of [ada, bob, ada]) {
      const own = side === ada ? 'Ada' : 'Bob';
      const form = await talkOf(side).call('trigger-elicitation-request');
      expect(textsOf(form)).toContain(`person of ${own}`);
      const sample = await talkOf(side).call('trigger-sampling-request', { prompt: 'who?' });
      expect(textsOf(sample)).toContain(`model of ${own}`);
    }
    expect(questionsTo(ada)).toHaveLength(4);
    expect(questionsTo(bob)).toHaveLength(2);
  });

  it('gives each its own progress, under tokens that are equal', async () => {
    await using gateway = await startShared();
    await using ada = await connect(gateway.url, 'Ada');
    await using bob = await connect(gateway.url, 'Bob');
    const run = async (side: Side, steps: number) => {
      const options = { onprogress: () => undefined };
      await talkOf(side).call('trigger-long-running-operation', { duration: 0.2, steps }, options);
      // From the tape: the SDK's client drops a last note that arrives together with the answer.
      return side.tape.steps.at(-1)?.events.filter(isProgress);
    };
    const steps = (total: number) =>
      Array.from({ length: total }, (_, i) => ({
        notice: 'notifications/progress',
        params: { progressToken: 'tools/call', progress: i + 1, total },
      }));
    const [forAda, forBob] = await Promise.all([run(ada, 4), run(bob, 5)]);
    expect(forAda).toEqual(steps(4));
    expect(forBob).toEqual(steps(5));
  });

  it('refuses a question at once while both have a call in flight, and asks nobody', async () => {
    await using gateway = await startShared();
    await using ada = await connect(gateway.url, 'Ada');
    await using bob = await connect(gateway.url, 'Bob');
    const held = await holdCall(ada);
    for (const tool of ['trigger-elicitation-request', 'trigger-sampling-request']) {
      const result = await talkOf(bob).call(tool, { prompt: 'who?' });
      expect(result?.isError).toBe(true);
      expect(textsOf(result)).toContain('-31010');
    }
    expect(held.answered()).toBe(false);
    expect([...questionsTo(ada), ...questionsTo(bob)]).toEqual([]);

    await held.release();
    const form = await talkOf(bob).call('trigger-elicitation-request');
    expect(textsOf(form)).toContain('person of Bob');
  });

  it('asks the one that can answer while one that cannot has a call in flight too', async () => {
    await using gateway = await startShared();
    await using mute = await connect(gateway.url, 'mute', {});
    await using bob = await connect(gateway.url, 'Bob');
    const held = await holdCall(mute);
    expect(textsOf(await talkOf(bob).call('trigger-elicitation-request'))).toContain('person of Bob');
    await held.release();
    expect(questionsTo(mute)).toEqual([]);
  });

  it('keeps the tasks of one from the other', async () => {
    await using gateway = await startShared();
    await using ada = await connect(gateway.url, 'Ada');
    await using bob = await connect(gateway.url, 'Bob');
    const taskId = await talkOf(ada).callAsTask('simulate-research-query', { topic: 'looms' });
    await ada.tape.until('the status', isStatus);
    expect((await talkOf(ada).ask('tasks/list'))?.tasks).toMatchObject([{ taskId }]);

    expect((await talkOf(bob).ask('tasks/list'))?.tasks).toEqual([]);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'] as const) {
      expect(await talkOf(bob).ask(method, { taskId })).toBeUndefined();
      expect(bob.tape.steps.at(-1)?.events).toMatchObject([{ answer: method, error: { code: -32_602 } }]);
    }
    expect((await talkOf(ada).ask('tasks/cancel', { taskId }))?.status).toBe('cancelled');
    expect(bob.tape.steps.flatMap(({ events }) => events.filter(isStatus))).toEqual([]);
  });

  it('never mixes the two, however their calls fall together', async () => {
    await using gateway = await startShared();
    await using ada = await connect(gateway.url, 'Ada');
    await using bob = await connect(gateway.url, 'Bob');
    const rounds = 25;
    const ask = async (side: Side) => {
      const said: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        said.push(textsOf(await talkOf(side).call('trigger-sampling-request', { prompt: String(round) })));
        said.push(textsOf(await talkOf(side).call('trigger-elicitation-request')));
      }
      return said;
    };
    const [toAda, toBob] = await Promise.all([ask(ada), ask(bob)]);
    const strangers = (said: string[], own: string) =>
      said.filter((text) => !text.includes(own) && !text.includes('-31010'));
    expect(strangers(toAda, 'of Ada')).toEqual([]);
    expect(strangers(toBob, 'of Bob')).toEqual([]);
    expect([...toAda, ...toBob].filter((text) => text.includes('-31010')).length).toBeGreaterThan(0);
  });
});

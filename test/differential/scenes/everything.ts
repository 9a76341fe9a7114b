import type { Conversation } from '../conversation.js';
import { shownName } from '../naming.js';
import type { Scene } from '../server-under-test.js';
import { patienceMs } from '../tape.js';

const uri = 'demo://resource/dynamic/text/7';
const note =
  (method: string, fits: (params: Record<string, unknown>) => boolean = () => true) =>
  (event: object) =>
    'notice' in event && event.notice === method && 'params' in event && fits(event.params as never);

/** Calling a tool as a task needs nothing of the client but the revision. */
const hasTasks = (revision: string) => revision >= '2025-11-25';

/** After the handshake the server asks for the roots, a moment later, and logs that it has them. */
export const everythingOpening: Scene = {
  title: 'the roots are known',
  needs: ({ capabilities }) => capabilities.roots,
  async play({ client, tape }) {
    await client.listTools();
    const isRoots = ({ data }: Record<string, unknown>) => String(data).startsWith('Roots updated');
    await tape.until('the log line about the roots', note('notifications/message', isRoots));
  },
};

export const everythingScenes: readonly Scene[] = [
  {
    title: 'progress is heard under the token of its call',
    async play(talk) {
      const options = { onprogress: () => undefined };
      await talk.call('trigger-long-running-operation', { duration: 0.05, steps: 5 }, options);
    },
  },
  {
    title: 'a cancelled call is not answered',
    async play(talk) {
      const stop = new AbortController();
      const options = { signal: stop.signal, timeout: patienceMs };
      const name = shownName(talk.naming, 'trigger-long-running-operation');
      talk.tape.step('tools/call, cancelled');
      const cancelled = talk.client.callTool(
        { name, arguments: { duration: 0.1, steps: 1 } },
        undefined,
        options,
      );
      stop.abort('no longer wanted');
      await cancelled.catch(() => undefined);
      // It takes longer than the cancelled one, whose answer would come first.
      await talk.call('trigger-long-running-operation', { duration: 0.2, steps: 1 });
    },
  },
  {
    title: 'updates of a subscribed resource are heard',
    async play(talk) {
      await talk.ask('resources/subscribe', { uri });
      await talk.call('toggle-subscriber-updates');
      await talk.tape.until('an update', note('notifications/resources/updated'));
      await talk.call('toggle-subscriber-updates');
      await talk.ask('resources/unsubscribe', { uri });
    },
  },
  {
    title: 'log lines are heard from the level that was set',
    async play(talk) {
      await talk.ask('logging/setLevel', { level: 'debug' });
      await talk.call('toggle-simulated-logging');
      await talk.tape.until('a log line', note('notifications/message'));
      await talk.call('toggle-simulated-logging');
      await talk.ask('logging/setLevel', { level: 'warning' });
      // Both log at "info".
      await talk.ask('resources/subscribe', { uri });
      await talk.ask('resources/unsubscribe', { uri });
      await talk.ask('logging/setLevel', { level: 'info' });
    },
  },
  {
    title: 'a resource that appears is announced, listed and read',
    async play(talk) {
      const before = talk.tape.changes('resources');
      await talk.call('gzip-file-as-resource', { name: 'new.gz', data: 'data:text/plain,new' });
      await talk.tape.changed('resources', before);
      await talk.ask('resources/list');
      await talk.ask('resources/read', { uri: 'demo://resource/session/new.gz' });
      await talk.call('gzip-file-as-resource', { data: 'data:text/plain,', outputType: 'resource' });
    },
  },
  {
    title: 'new roots are asked for',
    needs: ({ capabilities }) => capabilities.roots,
    async play(talk) {
      talk.answers.roots = [{ uri: 'file:///srv/third', name: 'Third' }];
      await talk.tell('notifications/roots/list_changed');
      await talk.tape.until('the log line about the roots', note('notifications/message'));
      await talk.call('get-roots-list');
    },
  },
  {
    title: 'forms are declined, dismissed and failed',
    needs: ({ capabilities }) => capabilities.elicitation,
    async play(talk) {
      for (const elicitation of ['decline', 'cancel', 'fail'] as const) {
        talk.answers.elicitation = elicitation;
        await talk.call('trigger-elicitation-request');
      }
      talk.answers.elicitation = 'accept';
    },
  },
  {
    title: 'a task asks in between, ends, and gives its result',
    needs: ({ revision, capabilities }) => hasTasks(revision) && capabilities.elicitation,
    async play(talk) {
      talk.answers.form = { interpretation: 'technical' };
      const taskId = await talk.callAsTask('simulate-research-query', { topic: 'looms', ambiguous: true });
      // Said by the tool, and by the SDK that keeps its question.
      await heardStatus(talk, 'input_required', 2);
      await talk.ask('tasks/get', { taskId });
      // Waits for the end, and lets the question through.
      await talk.ask('tasks/result', { taskId });
      await talk.ask('tasks/get', { taskId });
      await talk.ask('tasks/list');
    },
  },
  {
    title: 'a task is cancelled, once',
    needs: ({ revision }) => hasTasks(revision),
    async play(talk) {
      const taskId = await talk.callAsTask('simulate-research-query', { topic: 'mills' });
      // It comes with the answer, before or after it.
      await talk.tape.until('that it works', note('notifications/tasks/status'));
      await talk.ask('tasks/cancel', { taskId });
      await talk.ask('tasks/cancel', { taskId });
      await talk.ask('tasks/get', { taskId });
      await talk.ask('tasks/list');
    },
  },
];

async function heardStatus({ tape }: Conversation, status: string, times: number): Promise<void> {
  const isStatus = note('notifications/tasks/status', (params) => params.status === status);
  await tape.until(`${times} times that a task is ${status}`, isStatus, times);
}

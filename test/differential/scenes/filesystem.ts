import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Conversation } from '../conversation.js';
import { shownName } from '../naming.js';
import type { Scene } from '../server-under-test.js';

/** The server asks for the roots after the handshake, and puts them in the place of the folders it was started with. */
export const filesystemOpening: Scene = {
  title: 'the roots are known',
  needs: ({ capabilities }) => capabilities.roots,
  async play(talk) {
    await talk.client.listTools();
    await allowed(talk, join(talk.folder, 'files'));
  },
};

export const filesystemScenes: readonly Scene[] = [
  {
    title: 'new roots replace the old ones',
    needs: ({ capabilities }) => capabilities.roots,
    async play(talk) {
      const other = join(talk.folder, 'other');
      talk.answers.roots = [{ uri: pathToFileURL(other).href }];
      await talk.tell('notifications/roots/list_changed');
      await allowed(talk, other);
      await talk.call('list_allowed_directories');
      await talk.call('read_text_file', { path: join(talk.folder, 'files/a.txt') });
    },
  },
];

/** Waits until the server allows `path` alone; nobody announces that it has looked at new roots. */
async function allowed({ client, tape, naming }: Conversation, path: string): Promise<void> {
  await tape.until(
    'the question for the roots',
    (event) => 'question' in event && event.question === 'roots/list',
  );
  await tape.unrecorded(async () => {
    for (;;) {
      const result = await client.callTool({ name: shownName(naming, 'list_allowed_directories') });
      if ((result.structuredContent as { content: string }).content.endsWith(`:\n${path}`)) return;
    }
  });
}

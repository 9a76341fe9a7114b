import { serve } from '../kit/serve.js';
import { folderArgument } from './arguments.js';
import { NoteFolder } from './note-folder.js';
import { noteResources } from './note-resources.js';
import { NoteWatch } from './note-watch.js';
import { sampleFolder } from './sample-folder.js';
import { searchNotes } from './search-notes.js';
import { summarisePrompt } from './summarise-prompt.js';

const log = (text: string) => process.stderr.write(`notes: ${text}\n`);

async function start(argv: readonly string[]): Promise<void> {
  const folder = await NoteFolder.open(folderArgument(argv) ?? sampleFolder());
  const watch = await NoteWatch.start(folder, log);
  serve({
    name: 'notes',
    title: 'Notas',
    version: '1.0.0',
    instructions:
      'Notas en Markdown: buscar_notas encuentra las que contienen unas palabras; cada una se lee como el ' +
      'recurso note://<nombre>.',
    tools: [searchNotes(folder)],
    resources: noteResources(folder, watch),
    prompts: [summarisePrompt(folder)],
  });
}

try {
  await start(process.argv.slice(2));
} catch (error) {
  log(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

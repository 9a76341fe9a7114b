import { definePrompt, type Prompt } from '../kit/prompt-definition.js';
import { quote } from '../kit/quote.js';
import { RpcError } from '../kit/rpc-error.js';
import type { NoteFolder } from './note-folder.js';
import { noteLink } from './note-resources.js';
import { proposeNames } from './propose-names.js';

/** The prompt `resumir_nota`. */
export function summarisePrompt(folder: NoteFolder): Prompt {
  return definePrompt({
    name: 'resumir_nota',
    title: 'Resumir una nota',
    description: 'Pide un resumen breve de una nota, con lo que queda pendiente.',
    arguments: {
      nota: {
        title: 'Nota',
        description: 'El nombre de la nota',
        required: true,
        complete: (typed) => proposeNames(folder, typed),
      },
    },
    async handler({ nota }) {
      const note = (await folder.notes()).get(nota.normalize('NFC'));
      const text = note === undefined ? undefined : await folder.read(note);
      if (note === undefined || text === undefined) {
        throw new RpcError('invalidParams', `no hay ninguna nota ${quote(nota)}`);
      }
      const { uri, mimeType } = noteLink(note.name);
      const request =
        `Resume la nota «${note.name}» en tres frases como máximo. ` +
        'Si deja algo pendiente, termina con una lista de las tareas, cada una con su responsable y su fecha.';
      return [
        { role: 'user', content: { type: 'text', text: request } },
        { role: 'user', content: { type: 'resource', resource: { uri, mimeType, text } } },
      ];
    },
  });
}

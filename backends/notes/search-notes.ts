import { defineTool, type Tool, ToolError } from '../kit/definition.js';
import type { NoteFolder } from './note-folder.js';
import { noteLink } from './note-resources.js';
import { matchingLines, wordsOf } from './search.js';

/** Most notes in one answer; who finds more should ask more precisely. */
const maxNotesFound = 20;

/** The tool `buscar_notas`. */
export function searchNotes(folder: NoteFolder): Tool {
  return defineTool({
    name: 'buscar_notas',
    title: 'Buscar notas',
    description:
      'Busca las notas en las que aparecen todas las palabras de la consulta, en el nombre o en el texto, y ' +
      'devuelve las líneas que coinciden. No distingue mayúsculas ni acentos.',
    inputSchema: {
      type: 'object',
      properties: { consulta: { type: 'string', description: 'Una o varias palabras, o partes de ellas' } },
      required: ['consulta'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        total: { type: 'integer', description: 'Cuántas notas coinciden' },
        notas: {
          type: 'array',
          description: `Las primeras ${maxNotesFound} notas que coinciden`,
          items: {
            type: 'object',
            properties: {
              nombre: { type: 'string', description: 'El nombre de la nota' },
              lineas: {
                type: 'array',
                description: 'Las primeras líneas que coinciden; ninguna si solo coincide el nombre',
                items: {
                  type: 'object',
                  properties: {
                    numero: { type: 'integer', description: 'El número de la línea, desde 1' },
                    texto: { type: 'string', description: 'La línea, abreviada si es larga' },
                  },
                  required: ['numero', 'texto'],
                  additionalProperties: false,
                },
              },
            },
            required: ['nombre', 'lineas'],
            additionalProperties: false,
          },
        },
      },
      required: ['total', 'notas'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    async handler({ consulta }, { signal }) {
      const words = wordsOf(consulta);
      if (words.length === 0) throw new ToolError('la consulta está vacía; escribe al menos una palabra');
      const found: { nombre: string; lineas: { numero: number; texto: string }[] }[] = [];
      for (const note of (await folder.notes()).values()) {
        signal.throwIfAborted();
        const lines = matchingLines(note.name, (await folder.read(note)) ?? '', words);
        if (lines === undefined) continue;
        found.push({
          nombre: note.name,
          lineas: lines.map(({ number, text }) => ({ numero: number, texto: text })),
        });
      }
      const notas = found.slice(0, maxNotesFound);
      return {
        structured: { total: found.length, notas },
        links: notas.map(({ nombre }) => noteLink(nombre)),
      };
    },
  });
}

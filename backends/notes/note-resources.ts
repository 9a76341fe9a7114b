import type { ResourceLink } from '../kit/definition.js';
import type { Resource, Resources } from '../kit/resource-definition.js';
import type { Note, NoteFolder } from './note-folder.js';
import { nameInUri, noteUri, noteUriTemplate } from './note-uri.js';
import type { NoteWatch } from './note-watch.js';
import { proposeNames } from './propose-names.js';

const mimeType = 'text/markdown';

/** The notes as resources `note://<name>`. */
export function noteResources(folder: NoteFolder, watch: NoteWatch): Resources {
  const resource = (note: Note): Resource => ({ ...noteLink(note.name), read: () => folder.read(note) });
  return {
    async list() {
      return [...(await folder.notes()).values()].map(resource);
    },
    async find(uri) {
      const name = nameInUri(uri);
      const note = name === undefined ? undefined : (await folder.notes()).get(name);
      return note === undefined ? undefined : resource(note);
    },
    templates: [
      {
        uriTemplate: noteUriTemplate,
        name: 'nota',
        title: 'Nota',
        description: 'Una nota en Markdown por su nombre',
        mimeType,
        variables: { name: { complete: (typed) => proposeNames(folder, typed) } },
      },
    ],
    watch(observer) {
      watch.listen(({ updated, listChanged }) => {
        if (listChanged) observer.listChanged();
        for (const name of updated) observer.updated(noteUri(name));
      });
    },
  };
}

/** What a client needs to know of a note to read it. */
export function noteLink(name: string): ResourceLink & { readonly mimeType: string } {
  return { uri: noteUri(name), name, mimeType };
}

const scheme = 'note://';

/** The template that `noteUri` fills in. */
export const noteUriTemplate = `${scheme}{name}`;

/** The URI of a note. Everything but letters, digits and `-._~` is percent-encoded. [RFC 6570 § 3.2.2] */
export function noteUri(name: string): string {
  const encoded = encodeURIComponent(name).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${scheme}${encoded}`;
}

/**
 * The name that a URI spells, whatever it percent-encodes, or `undefined` when it is no URI of a note. The
 * name is only to be looked up among those of notes that exist: it can be any text, such as `../secret`.
 */
export function nameInUri(uri: string): string | undefined {
  if (!uri.startsWith(scheme)) return undefined;
  try {
    return decodeURIComponent(uri.slice(scheme.length)).normalize('NFC');
  } catch {
    return undefined;
  }
}

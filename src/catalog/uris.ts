/**
 * A URI or URI template with its backend's name in front: `<prefix>+<uri>`. The prefix is `namespace` with
 * everything that a scheme may not contain, `_` included, as `-`, and `x-` before it where it would not begin
 * with a letter: `notes` and `file:///a` give `notes+file:///a`. [RFC 3986 § 3.1]
 *
 * @param namespace of the backend; its key when the namespace is empty.
 */
export function prefixedUri(namespace: string, uri: string): string {
  return `${uriPrefix(namespace)}${uri}`;
}

/**
 * The backend's own form of a prefixed URI, or `undefined` when `uri` does not begin with the prefix. The
 * prefix is compared without regard to case, because URL parsers write schemes in lower case.
 */
export function originalUri(namespace: string, uri: string): string | undefined {
  const prefix = uriPrefix(namespace);
  if (uri.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) return undefined;
  return uri.slice(prefix.length);
}

function uriPrefix(namespace: string): string {
  const legal = namespace.replace(/[^A-Za-z0-9.-]/g, '-');
  return /^[A-Za-z]/.test(legal) ? `${legal}+` : `x-${legal}+`;
}

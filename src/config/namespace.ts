/**
 * Makes a backend's key safe as the prefix of qualified names: every run of characters other than
 * `A–Z a–z 0–9 _ -` becomes one `-`, every run of `_` one `_` (so that the separator `__` stays telling),
 * and both are trimmed at the ends. May come out empty.
 */
export function cleanNamespace(key: string): string {
  return key
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/_+/g, '_')
    .replace(/^[-_]+|[-_]+$/g, '');
}

/** Keys with the same fold would be one and the same to a person, a URI scheme or a metrics label. */
export function foldKey(key: string): string {
  return cleanNamespace(key).toLowerCase().replaceAll('_', '-');
}

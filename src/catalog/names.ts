import { createHash } from 'node:crypto';
import type { BackendKey, QualifiedName } from '../shared/ids.js';
import type { NamingSettings } from '../shared/settings.js';

/**
 * Hexadecimal digits of the hash that marks a changed name: 32 bits, so that among 1,000 changed names of
 * one backend two meet with a probability of about one in ten thousand.
 */
const hashDigits = 8;

/**
 * The name under which clients see a tool or prompt: `<namespace><separator><local name>`, or the bare local
 * name when `namespace` is empty.
 *
 * A name with characters outside `naming.charset`, or longer than `naming.maxLength` characters, is cleaned
 * and shortened, and then always ends in `_` and eight hexadecimal digits of SHA-256 over backend key and
 * local name, so that names that differ only in what was lost stay apart.
 *
 * A pure function of its arguments: it never depends on other backends, on start order, or on a restart.
 *
 * @param naming `charset` is the inside of a character class of a `u` regular expression, and contains `_`
 *   and the hexadecimal digits; `maxLength` leaves room for the hash (at least 10).
 */
export function qualifiedName(
  backendKey: BackendKey,
  namespace: string,
  localName: string,
  naming: NamingSettings,
): QualifiedName {
  const plain = plainName(namespace, localName, naming);
  const clean = plain.replace(new RegExp(`[^${naming.charset}]+`, 'gu'), '_');
  if (clean === plain && characterCount(plain) <= naming.maxLength) return plain as QualifiedName;
  // As a JSON array, because then no other pair of key and name has the same text.
  const hash = createHash('sha256')
    .update(JSON.stringify([backendKey, localName]))
    .digest('hex');
  const tail = `_${hash.slice(0, hashDigits)}`;
  return `${firstCharacters(clean, naming.maxLength - tail.length)}${tail}` as QualifiedName;
}

/** The qualified name as it would be without any limit on length and characters. */
export function plainName(namespace: string, localName: string, naming: NamingSettings): string {
  return namespace === '' ? localName : `${namespace}${naming.separator}${localName}`;
}

function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function firstCharacters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('');
}

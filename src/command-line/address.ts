import type { Address } from '../shared/settings.js';
import { UsageError } from './usage-error.js';

const ADDRESS = /^(?:\[(?<bracketed>[^[\]]+)\]|(?<plain>[^[\]:]+)):(?<port>[0-9]{1,5})$/;
const MAX_PORT = 65_535;

/**
 * Reads `HOST:PORT`; an IPv6 address stands in brackets, `[::1]:8808`.
 * @throws {UsageError} naming `option` if it is none
 */
export function parseAddress(option: string, text: string): Address {
  const { bracketed, plain, port } = ADDRESS.exec(text)?.groups ?? {};
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > MAX_PORT) {
    throw new UsageError(
      `${option}: expected HOST:PORT with a port from 0 to ${MAX_PORT}, such as 127.0.0.1:8808 or [::1]:8808, got ${JSON.stringify(text)}`,
    );
  }
  return { host, port: Number(port) };
}

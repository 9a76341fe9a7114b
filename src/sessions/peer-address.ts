import { isLoopbackName } from '../shared/host.js';

const mappedV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** A socket's peer address with IPv4-mapped IPv6 (`::ffff:192.0.2.1`) written as IPv4. [RFC 4291 § 2.5.5.2] */
export function normaliseAddress(address: string): string {
  return mappedV4.exec(address)?.[1] ?? address;
}

/** Whether a normalised peer address is of this machine. */
export function isLoopbackAddress(address: string): boolean {
  return isLoopbackName(address);
}

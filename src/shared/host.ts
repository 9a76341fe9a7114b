/** A `Host` header taken apart. `name` is lower-cased; IPv6 addresses keep their brackets. */
export interface HostHeader {
  readonly name: string;
  readonly port: number | undefined;
}

// A bracketed IPv6 address, or a run without the characters that would start a port, a path, a query or user
// information; then at most one port. [RFC 9110 § 7.2; RFC 3986 § 3.2.2]
const hostHeader = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\,]+)(?::(\d{1,5}))?$/;
const loopbackV4 = /^127(?:\.\d{1,3}){3}$/;
const anyV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** @returns `undefined` for a text that is no `Host` header, such as `127.0.0.1:evil.example`. */
export function parseHost(header: string): HostHeader | undefined {
  const match = hostHeader.exec(header.toLowerCase());
  if (match?.[1] === undefined) return undefined;
  return { name: match[1], port: match[2] === undefined ? undefined : Number(match[2]) };
}

/**
 * Whether a name can only mean this machine: `localhost`, 127.0.0.0/8 or `::1`, with or without brackets.
 * Other names may be pointed at 127.0.0.1 by whoever owns them, which is how DNS rebinding works.
 */
export function isLoopbackName(name: string): boolean {
  const lower = name.toLowerCase();
  return lower === 'localhost' || lower === '[::1]' || lower === '::1' || loopbackV4.test(lower);
}

/** Whether a name from a `Host` header is an address rather than a name somebody could re-point. */
export function isIpLiteral(name: string): boolean {
  return name.startsWith('[') || anyV4.test(name);
}

/** Host and port as they stand in a URL: `127.0.0.1:8808`, `[::1]:8808`. */
export function authority(host: string, port: number): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

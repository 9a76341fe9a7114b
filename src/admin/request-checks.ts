import { isIpLiteral, isLoopbackName, parseHost } from '../shared/host.js';
import { sameOrigin } from '../shared/origin.js';

/** What the admin listener needs to know of a request before it answers. */
export interface AdminRequest {
  readonly method: string;
  /** Every `Host` header of the request. */
  readonly hosts: readonly string[];
  readonly origin: string | undefined;
}

export interface AdminRules {
  /** Whether the listener can be reached from other machines. */
  readonly beyondLoopback: boolean;
  /** Names besides the loopback names that a `Host` header may hold, lower-cased. */
  readonly allowedHosts: ReadonlySet<string>;
}

export interface Objection {
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Keeps web pages away from the status: a re-pointed name fails at the Host, a page of another origin at the
 * Origin. On a listener beyond loopback every address is a good Host, because probes of an orchestrator call a
 * container by an address that nobody knows beforehand; a page that wants to be taken for the gateway's own
 * always comes by a name. [RFC 9112 § 3.2 for 400; RFC 9110 § 15.5.20 for 421]
 */
export function objectionTo(request: AdminRequest, rules: AdminRules): Objection | undefined {
  const [only, ...others] = request.hosts;
  if (only === undefined || others.length > 0) {
    return { status: 400, error: `exactly one Host header is needed, not ${request.hosts.length}` };
  }
  const name = parseHost(only)?.name;
  if (name === undefined || !isServed(name, rules)) {
    return { status: 421, error: 'this Host is not served here; use a loopback name or an address' };
  }
  if (request.origin !== undefined && !sameOrigin(request.origin, `http://${only}`)) {
    return { status: 403, error: 'pages of other origins may not read this' };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return {
      status: 405,
      error: 'only GET and HEAD are answered here',
      headers: { Allow: 'GET, HEAD' },
    };
  }
  return undefined;
}

function isServed(name: string, { beyondLoopback, allowedHosts }: AdminRules): boolean {
  return isLoopbackName(name) || allowedHosts.has(name) || (beyondLoopback && isIpLiteral(name));
}

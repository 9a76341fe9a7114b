import { isLoopbackName, parseHost } from '../shared/host.js';
import type { OriginMatcher } from '../shared/origin.js';
import type { LimitSettings } from '../shared/settings.js';
import { isLoopbackAddress } from './peer-address.js';
import { type Refusal, refusal } from './refusal.js';
import { chooseSubprotocol, mcpSubprotocol } from './subprotocol.js';

/** What the checks need of an HTTP request. */
export interface Handshake {
  readonly method: string;
  readonly httpVersion: string;
  /** The request target without its query, which may hold secrets. */
  readonly path: string;
  readonly upgrade: string | undefined;
  readonly version: string | undefined;
  readonly webSocketKey: string | undefined;
  /** Every `Host` header of the request. */
  readonly hosts: readonly string[];
  readonly origin: string | undefined;
  readonly protocols: string | undefined;
  /** The peer's normalised address. */
  readonly address: string;
}

/** What the checks hold a request against. */
export interface HandshakeRules {
  readonly paths: readonly string[];
  /** Names besides the loopback names that a `Host` header may hold, lower-cased. */
  readonly allowedHosts: ReadonlySet<string>;
  readonly allowedOrigins: readonly OriginMatcher[];
  readonly limits: Pick<LimitSettings, 'connections' | 'connectionsPerAddress'>;
  /** Open sessions at this moment. */
  readonly load: { readonly draining: boolean; readonly total: number; readonly ofAddress: number };
}

export type Verdict =
  | { readonly kind: 'accepted'; readonly subprotocol: string | undefined }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

// Long enough for a restart or for other clients to leave, short enough for a person who waits.
const retryAfter = { 'Retry-After': '5' };
const webSocketVersion = '13';
/** Sixteen random bytes in base64. [RFC 6455 § 4.1] */
const webSocketKey = /^[+/0-9A-Za-z]{22}==$/;

/** Cheap checks before dear ones, and none of the later ones for somebody who has no business here. */
const checks: readonly ((handshake: Handshake, rules: HandshakeRules) => Refusal | undefined)[] = [
  checkUpgrade,
  checkPath,
  checkDraining,
  checkCaps,
  checkHost,
  checkOrigin,
  checkSubprotocol,
];

/** Decides on an upgrade request: the first check that objects has the word. */
export function judgeHandshake(handshake: Handshake, rules: HandshakeRules): Verdict {
  for (const check of checks) {
    const objection = check(handshake, rules);
    if (objection !== undefined) return { kind: 'refused', refusal: objection };
  }
  const choice = chooseSubprotocol(handshake.protocols);
  return { kind: 'accepted', subprotocol: choice.kind === 'accepted' ? choice.chosen : undefined };
}

/** Decides on a request without an upgrade, which never gets more than directions. */
export function judgePlainRequest(handshake: Handshake, rules: HandshakeRules): Refusal {
  return checkHost(handshake, rules) ?? checkPath(handshake, rules) ?? upgradeRequired();
}

// [RFC 6455 § 4.2.1, § 4.2.2; RFC 9110 § 7.8: an upgrade in HTTP/1.0 counts as absent]
function checkUpgrade({ method, httpVersion, upgrade, version, webSocketKey: key }: Handshake) {
  if (method !== 'GET') {
    return refusal(405, 'A WebSocket is opened with GET.', { Allow: 'GET' });
  }
  if (httpVersion !== '1.1' || upgrade?.toLowerCase() !== 'websocket') return upgradeRequired();
  if (version !== webSocketVersion) {
    return refusal(426, `Only WebSocket version ${webSocketVersion} is spoken here.`, {
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': webSocketVersion,
    });
  }
  if (key === undefined || !webSocketKey.test(key)) {
    return refusal(400, 'Sec-WebSocket-Key must be 16 bytes in base64.');
  }
  return undefined;
}

function checkPath({ path }: Handshake, { paths }: HandshakeRules) {
  return paths.includes(path)
    ? undefined
    : refusal(404, 'Nothing is served on this path; listen.paths names the ones that are.');
}

function checkDraining(_: Handshake, { load }: HandshakeRules) {
  return load.draining
    ? refusal(503, 'The gateway is shutting down; connect again later.', retryAfter)
    : undefined;
}

/** Loopback peers are not counted by address: they may be a proxy for many clients. */
function checkCaps({ address }: Handshake, { load, limits }: HandshakeRules) {
  if (load.total >= limits.connections) {
    return refusal(503, `All ${limits.connections} connections are taken; try again later.`, retryAfter);
  }
  if (load.ofAddress >= limits.connectionsPerAddress && !isLoopbackAddress(address)) {
    return refusal(
      429,
      `Your address has all of its ${limits.connectionsPerAddress} connections; close one first.`,
      retryAfter,
    );
  }
  return undefined;
}

// [RFC 9112 § 3.2 for 400; RFC 9110 § 15.5.20 for 421]
function checkHost({ hosts }: Handshake, { allowedHosts }: HandshakeRules) {
  const [only, ...others] = hosts;
  if (only === undefined || others.length > 0) {
    return refusal(400, `Exactly one Host header is needed, not ${hosts.length}.`);
  }
  const host = parseHost(only);
  if (host !== undefined && (isLoopbackName(host.name) || allowedHosts.has(host.name))) return undefined;
  return refusal(421, 'This Host is not served here; listen.allowedHosts names the ones that are.');
}

/**
 * Browsers always send an Origin and pages cannot forge it, so it keeps foreign pages out. Programs send none
 * and are let through: a page could not leave it out.
 */
function checkOrigin({ origin }: Handshake, { allowedOrigins }: HandshakeRules) {
  if (origin === undefined || allowedOrigins.some((matches) => matches(origin))) return undefined;
  return refusal(403, 'Pages of this origin may not connect; listen.allowedOrigins names the ones that may.');
}

function checkSubprotocol({ protocols }: Handshake) {
  return chooseSubprotocol(protocols).kind === 'unknown'
    ? refusal(400, `None of the offered subprotocols is known; offer "${mcpSubprotocol}", or none.`)
    : undefined;
}

function upgradeRequired(): Refusal {
  return refusal(426, 'MCP is spoken here over WebSocket; open this URL with ws://.', {
    Upgrade: 'websocket',
  });
}

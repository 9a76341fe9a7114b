/** A serialised origin taken apart; `port` is empty for the scheme's default port. [RFC 6454 § 6.2] */
interface Origin {
  readonly scheme: string;
  readonly hostname: string;
  readonly port: string;
}

/** Tells whether a web page of this origin may connect. */
export type OriginMatcher = (origin: string) => boolean;

const anyPort = /:\*$/;
const oneLabel = '*.';

/**
 * Takes a serialised origin apart the way a browser would, so that `HTTP://LocalHost:80` equals
 * `http://localhost`.
 * @returns `undefined` for a text with a path, a query or user information, or that is no origin at all.
 */
function parseOrigin(text: string): Origin | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const bare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  const hasPath = url.pathname !== '' && (url.pathname !== '/' || text.endsWith('/'));
  if (!bare || hasPath || url.host === '' || !text.includes('://')) return undefined;
  return { scheme: url.protocol, hostname: url.hostname, port: url.port };
}

/** Whether two texts are the same serialised origin. */
export function sameOrigin(left: string, right: string): boolean {
  const a = parseOrigin(left);
  const b = parseOrigin(right);
  return (
    a !== undefined &&
    b !== undefined &&
    a.scheme === b.scheme &&
    a.hostname === b.hostname &&
    a.port === b.port
  );
}

/**
 * Reads one entry of `listen.allowedOrigins`: a full origin, `http://localhost:*` for any port,
 * `https://*.example.com` for exactly one label on the left, or `null` for opaque origins.
 * Parts are compared after parsing, never as prefixes or suffixes of the text, so that neither
 * `http://localhost.evil.test` nor `http://127.0.0.1:evil.test` slips through.
 * @returns `undefined` for a text that is none of these.
 */
export function originMatcher(entry: string): OriginMatcher | undefined {
  if (entry === 'null') return (origin) => origin === 'null';
  const everyPort = anyPort.test(entry);
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(entry)?.[0];
  if (scheme === undefined) return undefined;
  const rest = entry.slice(scheme.length).replace(anyPort, '');
  const everyLabel = rest.startsWith(oneLabel);
  const wanted = parseOrigin(scheme + (everyLabel ? rest.slice(oneLabel.length) : rest));
  if (wanted === undefined || rest.slice(everyLabel ? oneLabel.length : 0).includes('*')) return undefined;

  return (origin) => {
    const given = parseOrigin(origin);
    if (given === undefined || given.scheme !== wanted.scheme) return false;
    if (!everyPort && given.port !== wanted.port) return false;
    return everyLabel ? parentDomain(given.hostname) === wanted.hostname : given.hostname === wanted.hostname;
  };
}

function parentDomain(hostname: string): string | undefined {
  const dot = hostname.indexOf('.');
  return dot > 0 ? hostname.slice(dot + 1) : undefined;
}

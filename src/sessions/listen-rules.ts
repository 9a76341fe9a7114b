import { authority, isLoopbackName } from '../shared/host.js';
import { ListenError } from '../shared/listen-error.js';
import { type OriginMatcher, originMatcher } from '../shared/origin.js';
import type { ListenSettings } from '../shared/settings.js';
import type { HandshakeRules } from './handshake-checks.js';

/** Pages served by this machine; on a loopback listener nobody else's may drive the backends. */
const loopbackOrigins = ['http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'];

/**
 * What the settings of a listener mean for its handshakes.
 * @throws {ListenError} (78) for a bind beyond loopback, which would need authentication, and for an entry of
 * `allowedOrigins` that is no origin.
 */
export function listenRules(
  listen: ListenSettings,
): Pick<HandshakeRules, 'paths' | 'allowedHosts' | 'allowedOrigins'> {
  if (!isLoopbackName(listen.host)) {
    throw new ListenError(
      `will not listen on ${authority(listen.host, listen.port)} (listen): beyond loopback, everybody on the ` +
        'network could run the backends, as clients are not authenticated; listen on 127.0.0.1, and put a ' +
        'proxy that authenticates in front',
      78,
    );
  }
  return {
    paths: listen.paths,
    allowedHosts: new Set((listen.allowedHosts ?? []).map((name) => name.toLowerCase())),
    allowedOrigins: (listen.allowedOrigins ?? loopbackOrigins).map(readOrigin),
  };
}

function readOrigin(entry: string, index: number): OriginMatcher {
  const matcher = originMatcher(entry);
  if (matcher !== undefined) return matcher;
  throw new ListenError(
    `listen.allowedOrigins[${index}]: expected an origin such as "https://app.example.com", ` +
      `"http://localhost:*" or "https://*.example.com", got ${JSON.stringify(entry)}`,
    78,
  );
}

import type { ListenSettings, NamingSettings, Settings } from '../shared/settings.js';
import { isLoopbackHost } from './loopback.js';
import type { Place } from './place.js';

/** Checks what one option alone cannot tell. `listenOverridden`: the address is the command line's. */
export function checkSettings(settings: Settings, listenOverridden: boolean, root: Place): void {
  checkListen(settings.listen, listenOverridden, root);
  checkPorts(settings, root);
  checkNaming(settings.naming, root.at('naming'));
}

/** Whoever reaches the socket may run the backends' tools, so without authentication only this machine may. */
function checkListen({ host }: ListenSettings, overridden: boolean, root: Place): void {
  if (isLoopbackHost(host)) return;
  root
    .at('listen')
    .at('host')
    .report(
      `refusing to bind to ${JSON.stringify(host)}${overridden ? ' (from --listen)' : ''} without authentication: anyone who reaches it could call ` +
        'every tool; bind to 127.0.0.1 and put a reverse proxy that authenticates in front',
    );
}

/** Said here, because the second bind would blame another program. */
function checkPorts({ listen, admin }: Settings, root: Place): void {
  if (admin === undefined || admin.port === 0) return;
  if (admin.port !== listen.port || admin.host !== listen.host) return;
  root.at('admin').at('port').report(`expected another port than that of "listen", got ${admin.port}`);
}

/** Cleaned and shortened names end in `_` and hexadecimal digits, so these have to be legal. */
function checkNaming({ separator, charset }: NamingSettings, place: Place): void {
  const legal = characterClass(charset);
  if (legal === undefined) {
    place.at('charset').report(`expected the inside of a character class, got ${JSON.stringify(charset)}`);
    return;
  }
  if (!legal.test('_0123456789abcdef')) {
    place
      .at('charset')
      .report(`expected "_", 0-9 and a-f among the characters, got ${JSON.stringify(charset)}`);
  }
  if (!legal.test(separator)) {
    place
      .at('separator')
      .report(`expected characters of "naming.charset" (${charset}), got ${JSON.stringify(separator)}`);
  }
}

function characterClass(charset: string): RegExp | undefined {
  try {
    return new RegExp(`^[${charset}]+$`, 'u');
  } catch {
    return undefined;
  }
}

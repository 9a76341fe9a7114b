import { authority } from './host.js';
import type { Address } from './settings.js';

/** A listener that cannot be opened. The message is a sentence for the person who started the program. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  /**
   * @param exitCode what the program ends with: 69 when the address cannot be had, 78 when the settings
   * forbid or do not describe a listener. [sysexits.h]
   */
  constructor(
    message: string,
    readonly exitCode: 69 | 78,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Says of a failed bind which listener, which address, why, and what helps. */
export function cannotBind(listener: string, address: Address, cause: NodeJS.ErrnoException): ListenError {
  const where = authority(address.host, address.port);
  const { what, help } = bindFailures.get(cause.code ?? '') ?? {
    what: cause.message,
    help: `set ${listener}.host and ${listener}.port to an address of this machine`,
  };
  return new ListenError(`cannot listen on ${where} (${listener}): ${what}; ${help}`, 69, { cause });
}

const bindFailures = new Map([
  [
    'EADDRINUSE',
    {
      what: 'the port is in use',
      help: 'stop the program that holds it, or choose another port (0 takes a free one)',
    },
  ],
  [
    'EACCES',
    { what: 'the port needs privileges', help: 'choose a port above 1023, or grant CAP_NET_BIND_SERVICE' },
  ],
  [
    'EADDRNOTAVAIL',
    { what: 'this machine has no such address', help: 'choose an address of one of its interfaces' },
  ],
  ['ENOTFOUND', { what: 'the host name is unknown', help: 'check its spelling, or give an address' }],
]);

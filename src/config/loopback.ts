import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether a host to bind to is reachable from this machine alone: `localhost`, 127.0.0.0/8, `::1`. */
export function isLoopbackHost(host: string): boolean {
  switch (isIP(host)) {
    case 4:
      return loopback.check(host);
    case 6:
      return loopback.check(host, 'ipv6');
    default:
      return host.toLowerCase() === 'localhost';
  }
}

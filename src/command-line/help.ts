import { LOG_LEVELS } from '../config/log-levels.js';

/** What `--help` prints. */
export const HELP = `Usage:
  mcp-switchboard [serve] --config FILE [--listen HOST:PORT] [--admin HOST:PORT|off] [--log-level LEVEL]
  mcp-switchboard check --config FILE
  mcp-switchboard tools --config FILE

Commands:
  serve   start the backends and serve WebSocket clients (the default)
  check   print every problem in the configuration, or "ok" and which backends are off
  tools   start the backends, print the merged catalog, stop

Options:
  -c, --config FILE      the configuration file (required)
  --listen HOST:PORT     where clients connect, instead of the file's "listen"; port 0 takes a free one
  --admin HOST:PORT|off  where probes and status are served, instead of the file's "admin"
  --log-level LEVEL      ${LOG_LEVELS.join(', ')}
  -h, --help             print this text
  -v, --version          print the version

Exit codes:
  0   clean
  1   forced or unexpected
  64  the command line cannot be understood
  69  a listener or a required backend is unavailable
  70  internal error
  74  stdout cannot be written
  78  the configuration cannot be used
`;

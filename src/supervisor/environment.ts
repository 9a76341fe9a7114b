/** Inherited everywhere; the first six are what MCP's own stdio clients hand on. */
const inheritedOnPosix = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'TZ', 'TMPDIR'];

/** What programs on Windows need to find their files, their helpers and a temporary folder. */
const inheritedOnWindows = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'TZ',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/** Without these a server behind a company proxy reaches nothing. Both spellings are in use. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'];

/** The gateway's own variables, which may hold its secrets. */
const gatewayPrefix = 'MCPGW_';

/** What a backend's configuration says about its environment. */
export interface EnvironmentWishes {
  readonly env: Readonly<Record<string, string>>;
  readonly inheritEnv: readonly string[];
}

/**
 * The environment of a backend's process: a short list inherited from the gateway, so that no server reads
 * secrets that are meant for another; then the names in `inheritEnv`; then the configured values, which win.
 *
 * Values that start with `()` are left out, because old shells run them as functions. The gateway's own
 * variables (`MCPGW_…`) are never inherited, not even by name.
 */
export function buildEnvironment(
  gateway: NodeJS.ProcessEnv,
  wishes: EnvironmentWishes,
  platform: NodeJS.Platform,
): Record<string, string> {
  const windows = platform === 'win32';
  const fold = (name: string) => (windows ? name.toUpperCase() : name);
  const inherited = new Set(
    [...(windows ? inheritedOnWindows : inheritedOnPosix), ...wishes.inheritEnv].map(fold),
  );
  const configured = new Set(Object.keys(wishes.env).map(fold));
  const result: [string, string][] = [];
  for (const [name, value] of Object.entries(gateway)) {
    const wanted =
      inherited.has(fold(name)) || name.startsWith('LC_') || proxies.includes(name.toUpperCase());
    if (value === undefined || !wanted || configured.has(fold(name))) continue;
    if (value.startsWith('()') || name.toUpperCase().startsWith(gatewayPrefix)) continue;
    result.push([name, value]);
  }
  return Object.fromEntries([...result, ...Object.entries(wishes.env)]);
}

import type { BackendKey } from '../../src/shared/ids.js';
import type { BackendSettings, Settings } from '../../src/shared/settings.js';

/** A backend's settings with the documented defaults, for tests that need some of them to differ. */
export function backendSettings(changes: Partial<BackendSettings> = {}): BackendSettings {
  return {
    key: 'b1' as BackendKey,
    namespace: 'b1',
    command: 'node',
    args: [],
    env: {},
    inheritEnv: [],
    cwd: process.cwd(),
    sharing: 'shared',
    maxProcesses: 32,
    era: 'auto',
    required: false,
    off: undefined,
    tools: { allow: undefined, deny: [] },
    uris: 'original',
    logs: 'owner',
    validateArguments: true,
    requestTimeoutMs: 60_000,
    maxRequestTimeMs: 600_000,
    startTimeoutMs: 120_000,
    probeTimeoutMs: 5_000,
    maxInFlight: 256,
    maxQueued: 1024,
    maxLineBytes: 10 * 1024 * 1024,
    restart: {
      baseMs: 500,
      capMs: 30_000,
      stableAfterMs: 60_000,
      maxExits: 5,
      windowMs: 60_000,
      retryFailedMs: 300_000,
    },
    stop: { endOfInputMs: 2_000, terminateMs: 2_000 },
    ...changes,
  };
}

/** Settings with the documented defaults. */
export function settings(changes: Partial<Settings> = {}): Settings {
  return {
    listen: {
      host: '127.0.0.1',
      port: 0,
      paths: ['/mcp', '/mcp/ws'],
      allowedOrigins: undefined,
      allowedHosts: undefined,
    },
    admin: undefined,
    naming: { separator: '__', maxLength: 64, charset: 'A-Za-z0-9_-' },
    catalog: { graceMs: 2_000, pageSize: 0 },
    limits: {
      maxMessageBytes: 4 * 1024 * 1024,
      maxDepth: 256,
      connections: 1_000,
      connectionsPerAddress: 50,
      processes: 128,
      inFlightPerSession: 64,
    },
    heartbeat: { intervalMs: 20_000, graceMs: 20_000 },
    slowReader: { pauseBytes: 1024 * 1024, maxBytes: 64 * 1024 * 1024, stallMs: 10_000 },
    drain: { timeoutMs: 20_000 },
    log: { level: 'silent' },
    backends: [],
    ...changes,
  };
}

import { describe, expect, it } from 'vitest';
import { buildEnvironment } from '../../../src/supervisor/environment.js';

const nothing = { env: {}, inheritEnv: [] };

describe('the environment of a backend', () => {
  it('inherits the short list and none of the secrets beside it', () => {
    const gateway = {
      PATH: '/usr/bin',
      HOME: '/home/u',
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C',
      TZ: 'UTC',
      TMPDIR: '/var/tmp',
      https_proxy: 'http://proxy:3128',
      NO_PROXY: 'localhost',
      GW_TOKEN: 't1',
      DB_URL: 'u1',
      AWS_SECRET_ACCESS_KEY: 's1',
      NODE_OPTIONS: '--inspect',
    };
    expect(Object.keys(buildEnvironment(gateway, nothing, 'linux')).sort()).toEqual(
      ['HOME', 'LANG', 'LC_ALL', 'NO_PROXY', 'PATH', 'TMPDIR', 'TZ', 'https_proxy'].sort(),
    );
  });

  it('keeps PATH and HOME when a variable is configured, and empty values too', () => {
    const wishes = { env: { API_KEY: 'k', EMPTY: '' }, inheritEnv: [] };
    expect(buildEnvironment({ PATH: '/usr/bin', HOME: '/h' }, wishes, 'linux')).toEqual({
      PATH: '/usr/bin',
      HOME: '/h',
      API_KEY: 'k',
      EMPTY: '',
    });
  });

  it('lets configured values win over inherited ones', () => {
    const wishes = { env: { PATH: '/opt/bin' }, inheritEnv: [] };
    expect(buildEnvironment({ PATH: '/usr/bin' }, wishes, 'linux')).toEqual({ PATH: '/opt/bin' });
  });

  it('inherits further variables by name', () => {
    const wishes = { env: {}, inheritEnv: ['DB_URL', 'UNSET'] };
    expect(buildEnvironment({ DB_URL: 'u1', OTHER: 'x' }, wishes, 'linux')).toEqual({ DB_URL: 'u1' });
  });

  it("never inherits the gateway's own variables, not even by name", () => {
    const wishes = { env: {}, inheritEnv: ['MCPGW_TOKEN'] };
    expect(buildEnvironment({ MCPGW_TOKEN: 'secret' }, wishes, 'linux')).toEqual({});
  });

  it('leaves out values that an old shell would run as functions', () => {
    expect(buildEnvironment({ TERM: '() { :; }; echo owned' }, nothing, 'linux')).toEqual({});
  });

  it('compares names without case on Windows, where they have none', () => {
    const gateway = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', Secret: 's', Temp: 'C:\\t' };
    const wishes = { env: { TEMP: 'D:\\t' }, inheritEnv: [] };
    expect(buildEnvironment(gateway, wishes, 'win32')).toEqual({
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
      TEMP: 'D:\\t',
    });
  });
});

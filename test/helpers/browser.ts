import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { temporaryFolder } from './config-file.js';

/**
 * No sandbox, because tests often run as root; nothing that reaches out by itself. The flags that the Chromium
 * package recommends for itself stay out: they turn off the checks of Origin that we test.
 */
const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Runs apart, because the package unpacks into TMPDIR and changes its own environment. */
const unpackScript = fileURLToPath(new URL('../fixtures/unpack-chromium.mjs', import.meta.url));

/** A browser to test with, or the reason why there is none on this machine. */
export type BrowserLaunch =
  | ({ readonly available: true; readonly browser: Browser } & AsyncDisposable)
  | ({ readonly available: false; readonly reason: string } & AsyncDisposable);

/**
 * Launches the Chromium that CHROMIUM_PATH names, or the one of the development dependencies, first with the
 * system's libraries and then with those that its package carries.
 */
export async function launchBrowser(): Promise<BrowserLaunch> {
  const folder = temporaryFolder();
  const clear = () => folder[Symbol.dispose]();
  try {
    const executablePath = process.env.CHROMIUM_PATH ?? (await unpack(folder.path));
    const carried = join(folder.path, 'al2023', 'lib');
    const browser = await launch(executablePath).catch(() => launch(executablePath, carried));
    return {
      available: true,
      browser,
      async [Symbol.asyncDispose]() {
        await browser.close();
        clear();
      },
    };
  } catch (error) {
    clear();
    const reason = `no browser can run here: ${error instanceof Error ? error.message : String(error)}`;
    return { available: false, reason, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
}

async function unpack(folder: string): Promise<string> {
  // The package unpacks the libraries only where it believes to be on this service.
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
  const { stdout } = await promisify(execFile)(process.execPath, [unpackScript], { env });
  return stdout;
}

function launch(executablePath: string, libraries?: string): Promise<Browser> {
  const env = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return chromium.launch({
    executablePath,
    headless: true,
    args: flags,
    env: { ...Object.fromEntries(env), ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }) },
  });
}

/** An origin for test pages: serves one empty page on a free port of the loopback. */
export interface PageServer extends AsyncDisposable {
  /** The page under the name `localhost`, an origin that local gateways allow. */
  readonly localUrl: string;
  /** The same page under a name that no gateway allows. */
  readonly foreignUrl: string;
}

export async function servePage(): Promise<PageServer> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    localUrl: `http://localhost:${port}/`,
    foreignUrl: `http://elsewhere.localhost:${port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

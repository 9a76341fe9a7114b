import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { type BrowserLaunch, launchBrowser, type PageServer, servePage } from '../helpers/browser.js';
import { scripted, tool } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';

const pageClient = fileURLToPath(new URL('../fixtures/page-client.js', import.meta.url));

/** Unpacking and starting a browser on a busy machine takes its time. */
const launchLimitMs = 60_000;

describe('a page in a real browser', () => {
  let launch: BrowserLaunch;
  let server: PageServer;

  beforeAll(async () => {
    launch = await launchBrowser();
    server = await servePage();
  }, launchLimitMs);

  afterAll(async () => {
    await launch[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** Opens a page and runs scripts in it; skips the test aloud where there is no browser. */
  async function openPage(context: TestContext, pageUrl: string) {
    if (!launch.available) {
      console.warn(launch.reason);
      return context.skip(launch.reason);
    }
    const page = await launch.browser.newPage();
    await page.goto(pageUrl);
    await page.addScriptTag({ path: pageClient });
    return {
      run: (script: string) => page.evaluate<unknown>(script),
      [Symbol.asyncDispose]: () => page.close(),
    };
  }

  it('lists and calls tools, hears of a changed list and sees a clean close 1001 at drain', async (context) => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using page = await openPage(context, server.localUrl);
    expect(
      await page.run(`openMcp(${JSON.stringify(gateway.url)}); page.until(({ opened }) => opened)`),
    ).toEqual({ protocol: 'mcp', extensions: '' });
    expect(await page.run('page.initialize()')).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    const listed = (await page.run('page.request("tools/list")')) as {
      result: { tools: { name: string }[] };
    };
    expect(listed.result.tools.map(({ name }) => name)).toContain('b1__echo');
    expect(
      await page.run('page.request("tools/call", { name: "b1__echo", arguments: { v: "grüße 🦊" } })'),
    ).toMatchObject({ result: { content: [{ type: 'text', text: '{"v":"grüße 🦊"}' }] } });

    const change = { name: 'b1__set-tools', arguments: { tools: [tool('new')] } };
    await page.run(`page.request("tools/call", ${JSON.stringify(change)})`);
    expect(
      await page.run('page.until(({ messages }) => messages.find(({ method }) => method))'),
    ).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(await page.run('page.request("tools/list")')).toMatchObject({
      result: { tools: [{ name: 'b1__new' }] },
    });

    const closed = page.run('page.until(({ closed }) => closed)');
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    expect(await closed).toMatchObject({ code: 1001, wasClean: true });
    expect(new Set((await page.run('page.types')) as string[])).toEqual(new Set(['string']));
  }, 40_000);

  it('of another origin is refused', async (context) => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using page = await openPage(context, server.foreignUrl);
    expect(
      await page.run(`openMcp(${JSON.stringify(gateway.url)}); page.until(({ closed }) => closed)`),
    ).toMatchObject({ code: 1006 });
    expect(await page.run('page.opened ?? null')).toBeNull();
    expect((await gateway.status()).sessions).toBe(0);
  }, 40_000);
});

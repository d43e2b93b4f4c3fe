import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, BrowserType, Locator, Page } from 'playwright-core';
import { loadApart } from '../apart-packages.ts';
import { shiftClock, shiftOfThisProcess } from '../nightly/shift-clock.ts';
import { share } from '../runner/run-files.ts';
import { note } from '../runner/times.ts';

/** A narrow phone in portrait mode. */
export const PHONE = { width: 360, height: 780 };

const PRESS_MS = 400;

/** Ends a hanging wait; not an assertion of speed. */
const TIMEOUT_MS = 300_000;

/** Flags of the package that would give a page more rights than a visitor's browser does. */
const TOO_LENIENT = /web-security|site-isolation|insecure-content|single-process|IsolateOrigins/;

/** Composites frames without the emulated GPU, which takes most of a browser's time; WebGL still uses it. */
const QUICKER = ['--disable-gpu-compositing'];

type Packages = { packaged: { args: string[]; executablePath(): Promise<string> }; chromium: BrowserType };

/** The npm package's Chromium, one per process; undefined, with a log line, if it cannot start. */
export async function givenBrowser(t: TestContext): Promise<Browser | undefined> {
  const launch = () => launchBrowser().catch((error: Error) => error);
  const browser = await share('browser', launch, async (one) => (one instanceof Error ? undefined : one.close()));
  if (!(browser instanceof Error)) return browser;
  t.skip(`Chromium cannot start here: ${browser.message.split('\n', 1)[0]}`);
  return undefined;
}

/** The npm package's Chromium, configured like a visitor's browser plus `flags`. Throws if it cannot start. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  note('browsers');
  const { packaged, chromium } = await loadApart<Packages>(join(import.meta.dirname, './package'));
  const args = [...packaged.args.filter((flag) => !TOO_LENIENT.test(flag)), ...QUICKER, ...flags];
  const options = { args, executablePath: await packaged.executablePath(), timeout: TIMEOUT_MS };
  for (;;) {
    try {
      return await chromium.launch(options);
    } catch (error) {
      // Another process is still unpacking it.
      if (!String(error).includes('ETXTBSY')) throw error;
      await pause(100);
    }
  }
}

/** Faults of a page: errors, CSP violations, dialogs, and requests to other hosts. */
export type Faults = string[];

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: Faults; requests: string[]; close(): Promise<void> }> {
  const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 2, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const aheadMs = shiftOfThisProcess();
  if (aheadMs !== undefined) await context.addInitScript(shiftClock, aheadMs);
  const page = await context.newPage();
  const faults: Faults = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url, { waitUntil: 'load' });
  return { page, faults, requests, close: () => context.close() };
}

/** As in `web/press.ts`. */
const MAX_PRESS_MS = 5000;
/** A page takes a press for ended after a while; on a busy machine what arrives meanwhile may take longer. */
const WITHOUT_MAX_PRESS = `{ const { setTimeout } = window;
  window.setTimeout = (run, ms, ...more) => setTimeout(run, ms === ${MAX_PRESS_MS} ? ${TIMEOUT_MS} : ms, ...more); }`;

/** A press as long as a person's: the page must not move away below it, whatever arrives `meanwhile`. */
export async function pressSlowly(button: Locator, meanwhile = async () => {}): Promise<void> {
  await button.page().evaluate(WITHOUT_MAX_PRESS);
  await button.hover();
  await button.page().mouse.down();
  await meanwhile();
  await button.page().waitForTimeout(PRESS_MS);
  await button.page().mouse.up();
}

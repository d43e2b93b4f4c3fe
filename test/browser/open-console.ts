import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage } from './browser.ts';

/** Resolution of the cheapest tablets, in landscape mode. */
export const TABLET = { width: 800, height: 480 };

export type Console = Awaited<ReturnType<typeof openPage>>;

/** Opens the console in a new browser and signs in with a code. */
export async function openConsole(
  browser: Browser,
  url: string,
  code: string,
  options: BrowserContextOptions = {},
): Promise<Console> {
  const opened = await openPage(browser, `${url}/console`, { viewport: TABLET, deviceScaleFactor: 1, ...options });
  await signIn(opened.page, code);
  await opened.page.locator('.pulse.live').waitFor();
  return opened;
}

export async function signIn(page: Page, code: string): Promise<void> {
  await page.getByLabel('Access code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

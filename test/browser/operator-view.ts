import type { Browser, Page } from 'playwright-core';
import { givenConsole } from '../given/merchant.ts';
import type { App } from '../harness.ts';
import { until } from '../until.ts';
import { openPage } from './browser.ts';

export const DESK = { width: 1280, height: 800 };

const COOKIE = { path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' as const };

export type View = Awaited<ReturnType<typeof openPage>>;

/** The operator's view in a signed-in browser. */
export async function openView(browser: Browser, app: App, url: string, options: object = {}): Promise<View> {
  const { cookie } = await givenConsole(app, null);
  const [name = '', value = ''] = cookie.split('=');
  return openPage(browser, `${url}/console/operator`, {
    viewport: DESK,
    ...options,
    storageState: { cookies: [{ name, value, ...COOKIE, domain: new URL(url).hostname }], origins: [] },
  });
}

/** Navigates an open view to another of its addresses, such as `orders`, and waits for the data. */
export async function showView(page: Page, url: string, view: string): Promise<void> {
  await page.goto(`${url}/console/operator#/${view}`);
  await page.locator(`main[data-view="${view.split('?')[0]}"] h1`).waitFor();
  const loading = page.locator('.empty', { hasText: /^Loading/ });
  await until('the data of the view is read', async () => (await loading.count()) === 0);
}

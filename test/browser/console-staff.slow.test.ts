import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenStores } from '../given/stores.ts';
import { type App, sharedApp } from '../harness.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser, PHONE } from './browser.ts';
import { openConsole } from './open-console.ts';

let app: App;
let url: string;
let storeId = '';
before(async () => {
  app = await sharedApp();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  url = await app.service.listen();
});
after(() => app.close());

test('an owner adds a member, who signs in with the shown code and manages no staff', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const issued = await issueAccessCode(app.service.deps.db, { storeId }, app.now());
  const { page, close } = await openConsole(browser, url, issued.code, { viewport: PHONE, colorScheme: 'dark' });
  await page.goto(`${url}/console#store`);
  const panel = page.getByRole('region', { name: 'Staff' });
  const name = 'Maria';
  await panel.getByLabel('Name').fill(name);
  await panel.getByLabel('Name').press('Enter');
  const dialog = page.getByRole('dialog');
  const code = await dialog.locator('.staff-code').innerText();
  await assertAccessible(page, 'code');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await assertAccessible(page, 'staff');
  for (const viewport of [PHONE, { width: 820, height: 1180 }, { width: 1440, height: 900 }]) {
    await page.setViewportSize(viewport);
    await assertFits(page, `staff at ${viewport.width}`);
  }

  const tablet = await openConsole(browser, url, code);
  await tablet.page.goto(`${url}/console#store`);
  await tablet.page.getByText(`Signed in as ${name}`).waitFor();
  await tablet.page.getByRole('heading', { name: 'Language' }).first().waitFor();
  assert.equal(await tablet.page.getByRole('region', { name: 'Staff' }).count(), 0);

  await panel.getByRole('button', { name: `Remove ${name}` }).click();
  await assertAccessible(page, 'removal');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText(`${name} was removed.`).waitFor();
  await tablet.page.reload();
  await tablet.page.getByLabel('Access code').waitFor();
  await Promise.all([close(), tablet.close()]);
});

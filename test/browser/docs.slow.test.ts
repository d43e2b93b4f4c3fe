import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { loadSearch } from '../../web/docs/search.ts';
import { type App, sharedApp } from '../harness.ts';
import { assertAccessible, assertTextAccessible } from './accessible.ts';
import { givenBrowser, openPage, PHONE } from './browser.ts';
import { MAX_SHIFT, measureShifts, shiftsOf } from './layout-shift.ts';

const WIDE = { width: 1440, height: 900 };
const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['light', { viewport: WIDE }],
  ['phone-dark', { viewport: PHONE, colorScheme: 'dark' }],
];

let app: App;
let url: string;
before(async () => {
  app = await sharedApp();
  url = await app.service.listen();
});
after(() => app.close());

for (const [look, options] of LOOKS) {
  test(`${look}: pages are accessible, keep still, fit their window and load from the service alone`, async (t) => {
    const browser = await givenBrowser(t);
    if (!browser) return;
    for (const path of ['/docs/', '/docs/orders', '/docs/webhooks']) {
      const { page, faults, requests, close } = await openPage(browser, url + path, {
        ...options,
        deviceScaleFactor: 1,
      });
      await measureShifts(page);
      if (path !== '/docs/orders') await assertAccessible(page, `${look} ${path}`);
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
      assert.ok(width <= (options.viewport?.width ?? 0), `${path}: ${width} px wide`);
      const { sum, of } = await shiftsOf(page);
      assert.ok(sum <= MAX_SHIFT, `${path}: ${sum} ${of}`);
      assert.deepEqual([faults, requests.filter((one) => !one.startsWith(url))], [[], []], path);
      await close();
    }
  });
}

test('the text of long pages is accessible: lists, links, code, and a heading for each cell of a table', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openPage(browser, `${url}/docs/webhooks`, { viewport: WIDE });
  for (const path of ['/docs/orders', '/docs/feeds', '/docs/operating']) {
    const [, text] = /<main[^>]*>([\s\S]*)<\/main>/.exec((await app.get(path)).text) ?? [];
    // All pages share one frame that persists across navigations; loading a page takes longer.
    await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(text)}`);
    await assertTextAccessible(page, 'main', path);
  }
  await close();
});

test('search finds a section by its words, by a typo and by keys alone, and says where nothing is found', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openPage(browser, `${url}/docs/adr/0003-change-clock`, { viewport: WIDE });
  await page.keyboard.press('/');
  await page.keyboard.type('idempotncy key');
  await page.locator('#site-results a').first().waitFor();
  await assertAccessible(page, 'results');
  const first = (await page.locator('#site-results a').first().getAttribute('href')) ?? '';
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(new URL(first, `${url}/docs/adr/0003-change-clock`).href);
  assert.match(page.url(), /\/docs\/[\w-]+#[\w-]+$/);
  assert.equal(await page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`).count(), 1);
  await page.locator('#site-search').fill('zzzzqqqq');
  await page.locator('#site-count', { hasText: 'Nothing found' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#site-results').isVisible(), false);
  assert.deepEqual(faults, []);
  await close();
});

test('a question finds the command that does it, commands and titles first, and decisions apart', async () => {
  const search = await loadSearch(`${url}/docs/search/words.json`);
  const first = (query: string) => search(query)[0];
  for (const query of ['how do I get an API key', 'How do I get an API key?', 'get api key'])
    assert.equal(first(query)?.heading, 'doorstep keys create', query);
  assert.equal(first('how do I import a feed')?.heading.startsWith('doorstep import'), true);
  assert.equal(first('backup')?.heading, 'doorstep backup <dir>');
  const found = search('change clock');
  const places = found.map(({ isDecision }) => isDecision);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => Number(a) - Number(b)),
  );
  assert.ok(places.includes(true) && places.includes(false));
  assert.ok(search('how do I').length > 0);
  for (const query of ['refund partial', 'partial refund', 'part refun']) {
    const [best] = search(query);
    assert.ok(best && /refund/i.test(best.heading + best.excerpt), query);
    assert.equal(`${best.page}#${best.anchor}`, 'payments#refunds', query);
  }
});

test('without JavaScript a page has its text and its lists, and no search that would not work', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openPage(browser, `${url}/docs/webhooks`, {
    viewport: PHONE,
    javaScriptEnabled: false,
  });
  assert.equal(await page.locator('#site-search').isVisible(), false);
  await page.getByText('Pages', { exact: true }).click();
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Integrating' }).click();
  await page.waitForURL(`${url}/docs/integrating`);
  await close();
});

test('the first stop of the keyboard skips to the text', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openPage(browser, `${url}/docs/webhooks`, { viewport: WIDE });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#page-text:focus').waitFor();
  await close();
});

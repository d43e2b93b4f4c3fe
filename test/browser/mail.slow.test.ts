import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mailFrame } from '../../src/app/adapters/mail-frame.ts';
import { writeMessage } from '../../src/notify/messages/write-message.ts';
import { DINNER, givenMessageContext } from '../given/message-context.ts';
import { MARKUP_PAYLOADS } from '../hostile/markup-payloads.ts';
import { until } from '../until.ts';
import { closeBrowser, givenBrowser } from './browser.ts';

after(closeBrowser);

test('no payload in any text of the receipt or the cancelation runs in a browser', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const frame = await mailFrame();
  const context = await browser.newContext();
  const page = await context.newPage();
  const ran: string[] = [];
  let payload = '';
  await page.exposeFunction('pwned', () => void ran.push(payload));
  const asked: string[] = [];
  await context.route('**', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await page.setContent('<img src=x onerror=pwned()>');
  await until('this page tells', () => ran.length > 0);
  assert.equal(ran.splice(0).length, 1);
  asked.length = 0;
  for (payload of MARKUP_PAYLOADS) {
    const names = [
      'store',
      'address',
      'item',
      'option',
      'customization',
      'notes',
      'fee',
      'customer',
      'street',
      'reason',
    ];
    const texts = Object.fromEntries([...names, 'displayName', 'logoUrl'].map((name) => [name, payload]));
    for (const kind of ['order_confirmation', 'order_canceled'] as const) {
      const settings = { mailFrom: 'Doorstep <mail@doorstep.example>', textFrom: undefined, frame };
      const { html } = writeMessage({ channel: 'email', kind }, givenMessageContext(DINNER, { texts }), settings);
      await page.setContent(html ?? '', { waitUntil: 'domcontentloaded' });
      const links = await page.$$eval('a', (all) => all.map((link) => (link as unknown as { href: string }).href));
      for (const link of links) assert.match(link, /^(https:\/\/tracking\.example\.com\/|tel:\+)/, payload);
    }
  }
  assert.deepEqual(ran, []);
  assert.deepEqual(
    [...new Set(asked)].filter((url) => !url.startsWith('https://logo.example/')),
    [],
  );
  await context.close();
});

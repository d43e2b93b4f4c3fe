import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { TICKET_POLICY, ticketPage } from '../../src/fulfillment/tickets/ticket.page.ts';
import type { TicketDocument } from '../../src/notify/outbox/printer.ts';
import { FIRST_PRINT, givenTicketOrder, TICKET_NOW } from '../given/ticket.ts';
import { assertAccessible } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';

const DOCUMENTS: readonly TicketDocument[] = ['kitchen', 'receipt', 'canceled'];
const LONG = 'A very long name of a dish, with-a-word-that-has-no-end-because-it-goes-on-and-on '.repeat(4).trim();
const order = givenTicketOrder(
  { item: LONG, option: `Phở 字 ${LONG}`, notes: LONG, customer: LONG, store: LONG },
  { canceledAt: TICKET_NOW, cancelReason: 'out_of_stock' },
);
const policy = Object.entries(TICKET_POLICY)
  .map(([name, values]) => `${name} ${values.join(' ')}`)
  .join('; ');

const server = createServer((request, response) => {
  const document = DOCUMENTS.find((name) => request.url === `/${name}`);
  if (!document) return void response.writeHead(204).end();
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  response.writeHead(200, headers).end(ticketPage(document, order, { ...FIRST_PRINT, copy: 1, mayBeRepeated: true }));
});
after(async () => {
  server.close();
});

test('every ticket shows in a browser as its policy allows, fits 80 mm, is accessible by axe, and prints on 80 mm paper', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const document of DOCUMENTS) {
    const { page, faults, close } = await openPage(browser, `${url}/${document}`, { bypassCSP: false });
    assert.deepEqual(faults, []);
    // 80 mm are 302.4 CSS pixels.
    assert.equal(await page.evaluate('Math.round(document.body.getBoundingClientRect().width)'), 302);
    assert.equal(await page.evaluate('document.body.scrollWidth <= document.body.clientWidth'), true, document);
    const printed = await page.pdf({ preferCSSPageSize: true });
    // 80 mm are 226.8 points.
    assert.match(printed.toString('latin1'), /\/MediaBox ?\[0 0 22[67]/);
    await close();
    const { page: checked, close: closeChecked } = await openPage(browser, `${url}/${document}`, { bypassCSP: true });
    await assertAccessible(checked, document);
    await closeChecked();
  }
});

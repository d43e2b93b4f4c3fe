import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { FIRST_PRINT, givenTicketOrder } from '../../../test/given/ticket.ts';
import { TICKET_POLICY, ticketPage } from './ticket.page.ts';

test('the page shows the ticket’s lines as text, with names in any script, under one heading', () => {
  const order = givenTicketOrder({ item: 'Phở 字 مرحبا', notes: 'no onions' });
  const page = ticketPage('kitchen', order, { ...FIRST_PRINT, copy: 1 });
  assert.match(page, /<title>Kitchen ticket A17<\/title>/);
  assert.match(page, /<p class="banner">REPRINT 1<\/p>/);
  assert.match(page, /<h1 class="number">A17<\/h1>/);
  assert.match(page, /<p class="led item"><span>2 x<\/span> <span>Phở 字 مرحبا<\/span><\/p>/);
  assert.match(page, /<p class="alert in-2">NOTE: no onions<\/p>/);
  const receipt = ticketPage('receipt', order, FIRST_PRINT);
  assert.match(receipt, /<h1 class="title">Test Pizzeria<\/h1>/);
  assert.match(receipt, /<p class="amount total"><span>Total \(USD\)<\/span> <span>\$52\.09<\/span><\/p>/);
  for (const each of [page, receipt]) assert.equal(each.match(/<h1/g)?.length, 1);
});

test('markup in names and notes is shown as text, and the page contains only its own script, links and style', () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)><style>*{}</style>&\u0000\u202e';
  const texts = { store: hostile, item: hostile, option: hostile, notes: hostile, customer: hostile, fee: hostile };
  for (const document of ['kitchen', 'receipt', 'canceled'] as const) {
    const page = ticketPage(document, givenTicketOrder(texts), { ...FIRST_PRINT, brandName: hostile });
    assert.doesNotMatch(page, /<script|<img|<a |<link|\u202e/);
    assert.ok(!page.includes('\u0000'));
    assert.doesNotMatch(page, /<[^>]*\bon\w+=|<[^>]* style=/);
    assert.equal(page.match(/<style>/g)?.length, 1);
    assert.ok(page.includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
  }
});

test('the policy of the page allows its own style, by the hash of its text, and nothing else', () => {
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(ticketPage('receipt', givenTicketOrder(), FIRST_PRINT)) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  assert.deepEqual(TICKET_POLICY['style-src'], [`'sha256-${hash}'`]);
  assert.deepEqual(TICKET_POLICY['default-src'], ["'none'"]);
});

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { ENGLISH } from '../../../test/given/locales.ts';
import { DINNER, givenMessageContext } from '../../../test/given/message-context.ts';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import { runs } from '../../../test/runs.ts';
import { mailFrame } from '../../app/adapters/mail-frame.ts';
import type { WrittenMessage } from '../../notify/messages/message.ts';
import { writeMessage } from '../../notify/messages/write-message.ts';
import type { Language } from '../../platform/languages/language.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { type Receipt, type ReceiptOption, receiptOf } from './receipt.ts';

let frame: string;
before(async () => {
  frame = await mailFrame();
});

const write = (context: ReturnType<typeof givenMessageContext>): WrittenMessage =>
  writeMessage({ channel: 'email', kind: 'order_confirmation' }, context, {
    mailFrom: 'Doorstep <mail@doorstep.example>',
    textFrom: undefined,
    frame,
  });

const centsOf = (printed: string) => Math.round(Number(printed.replace(/[$,]/g, '')) * 100);
type Printed = { label: string; cents: number };

/** Lines of the plain text that end with an amount, in order. */
function linesOfText(text: string): Printed[] {
  return [...text.matchAll(/^(\S.*?) \.{3,} (-?\$[\d,]+\.\d\d)$/gm)].map(([, label = '', amount = '']) => ({
    label,
    cents: centsOf(amount),
  }));
}

/** Rows of the HTML whose right cell is an amount. */
function linesOfHtml(html: string): Printed[] {
  const rows = html.matchAll(
    /<tr><td[^>]*>(.*?)<\/td><td[^>]*align="right"[^>]*>(?:<b>)?(-?\$[\d,]+\.\d\d)(?:<\/b>)?<\/td><\/tr>/g,
  );
  return [...rows].map(([, label = '', amount = '']) => ({
    label: label.replace(/<[^>]*>/g, ''),
    cents: centsOf(amount),
  }));
}

const sum = (lines: readonly { cents: number }[]) => lines.reduce((total, { cents }) => total + cents, 0);

function assertAddsUp(printed: Printed[], items: number, totalCents: number): void {
  const subtotal = printed[items];
  assert.match(subtotal?.label ?? '', /^Subtotal$/);
  assert.equal(sum(printed.slice(0, items)), subtotal?.cents, 'the items are the subtotal');
  const total = printed.at(-1);
  assert.match(total?.label ?? '', /^Total \((USD|CAD)\)$/);
  assert.equal(sum(printed.slice(items, -1)), total?.cents, 'the subtotal and the charges are the total');
  assert.equal(total?.cents, totalCents, 'the total is total_with_tip');
}

test('the printed lines of every receipt add up to total_with_tip to the cent, as text and as HTML', () => {
  fc.assert(
    fc.property(
      carts,
      fc.boolean(),
      fc.constantFrom('US' as const, 'CA' as const),
      (cart, unifyServiceFee, country) => {
        const context = givenMessageContext(orderOf(cart), { unifyServiceFee, country });
        const { text, html } = write(context);
        const { items, totalWithTipCents } = context.order.quote;
        const inText = linesOfText(text);
        assertAddsUp(inText, items.length, totalWithTipCents);
        const inHtml = linesOfHtml(html ?? '');
        assertAddsUp(inHtml, items.length, totalWithTipCents);
        assert.deepEqual(
          inHtml.map(({ cents }) => cents),
          inText.map(({ cents }) => cents),
        );
      },
    ),
    { numRuns: runs(2000) },
  );
});

test("an item's base price and its printed extras, however nested, are its unit price, and that its line", () => {
  const extrasOf = (options: readonly ReceiptOption[]): number =>
    options.reduce((total, option) => total + option.extraCents + extrasOf(option.options), 0);
  fc.assert(
    fc.property(carts, (cart) => {
      const { quote } = givenMessageContext(orderOf(cart)).order;
      const receipt: Receipt = receiptOf(quote, { isDelivery: true, unifyServiceFee: false }, ENGLISH);
      for (const item of receipt.items) {
        assert.equal(item.baseCents + extrasOf(item.options), item.unitCents);
        assert.equal(item.unitCents * item.quantity, item.totalCents);
      }
    }),
    { numRuns: runs(2000) },
  );
});

const printedOf = (changes: { pricesMarked?: boolean; unifyServiceFee?: boolean; mode?: 'pickup' | 'delivery' }) => {
  const { pricesMarked = true, unifyServiceFee = false, mode = 'delivery' as const } = changes;
  const toPrice = { ...DINNER, mode, receipt: { ...DINNER.receipt, pricesMarked } };
  const { text } = write(
    givenMessageContext(toPrice, { unifyServiceFee, texts: { item: 'Pie', option: 'Large', notes: 'no nuts' } }),
  );
  return text.split('\n\n').slice(-3, -1).join('\n').replace(/ \.+ /g, ' ').split('\n');
};

test('a receipt is itemized: nested options with prices, notes, every fee, one tax line, the tip', () => {
  assert.deepEqual(printedOf({}), [
    '2 x Pie $44.00',
    '    $22.00 each',
    '    Toppings: Large (+$6.50)',
    '      Toppings: 2 x Large (+$0.50)',
    '    Note: no nuts',
    'Subtotal $44.00',
    'Delivery fee $2.99',
    'Service fee $1.00',
    'Additional fee $1.50',
    'Bag fee $0.10',
    'Sales tax (10%) $4.55',
    'Tip $3.00',
    'Total (USD) $57.14',
  ]);
});

test('marked prices show only where the order asks for them', () => {
  assert.deepEqual(printedOf({ pricesMarked: false }).slice(0, 4), [
    '2 x Pie $41.00',
    '    $20.50 each',
    '    Toppings: Large (+$6.00)',
    '      Toppings: 2 x Large (+$0.50)',
  ]);
});

test('with unify_service_fee the added fee is within the service fee, and the total is the same', () => {
  const lines = printedOf({ unifyServiceFee: true });
  assert.ok(lines.includes('Service fee $2.50'));
  assert.ok(!lines.some((line) => line.startsWith('Additional fee')));
  assert.equal(lines.at(-1), 'Total (USD) $57.14');
});

test('a pickup shows neither delivery fee nor tip', () => {
  assert.deepEqual(printedOf({ mode: 'pickup' }).slice(5), [
    'Subtotal $44.00',
    'Additional fee $1.50',
    'Bag fee $0.10',
    'Sales tax (10%) $4.55',
    'Total (USD) $50.15',
  ]);
});

test('the mail of a scheduled order says for when it is scheduled, in HTML and in text', () => {
  const context = givenMessageContext(DINNER);
  const startEpochS = Temporal.Instant.from('2026-06-10T22:00:00Z').epochMilliseconds / 1000;
  const scheduled = { id: 's', startEpochS, endEpochS: startEpochS + 1800 };
  const order = { ...context.order, quote: { ...context.order.quote, scheduled } };
  const { html, text } = write({ ...context, order });
  assert.match(text, /Scheduled for\s+6:00 – 6:30 PM/);
  assert.match((html ?? '').replace(/<[^>]*>/g, ' '), /Scheduled for\s+6:00 – 6:30 PM/);
  assert.doesNotMatch(text, /Arrives by/);
});

test('taxes that the feed names have a line each, by their names in the language, and add up to the cent', () => {
  const gst = { name: 'GST', percent: 5 };
  const qst = { name: 'QST', percent: 9.975 };
  const fees = { ...DINNER.fees, taxes: [gst, { name: 'PST', percent: 0 }, qst] };
  const { quote } = givenMessageContext({ ...DINNER, fees }, { country: 'CA' }).order;
  const cents = quote.salesTaxCents + quote.addedFee.salesTaxCents;
  const taxesIn = (language: Language) =>
    receiptOf(quote, { isDelivery: true, unifyServiceFee: false }, localeOf(language, 'CA')).charges.filter(
      ({ label }) => /%/.test(label),
    );
  assert.deepEqual(
    (['en', 'fr', 'es'] as const).map((language) => taxesIn(language).map(({ label }) => label)),
    [
      ['GST (5%)', 'QST (9.975%)'],
      ['TPS (5\u00a0%)', 'TVQ (9,975\u00a0%)'],
      ['GST (5%)', 'QST (9.975%)'],
    ],
  );
  assert.equal(sum(taxesIn('fr')), cents);
});

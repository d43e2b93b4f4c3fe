import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DINNER, occasionOf } from '../../test/given-occasion.ts';
import { FIRST_PRINT, givenTicketOrder } from '../../test/given-ticket.ts';
import { formatPrice } from '../lib/money.ts';
import { receiptMail } from '../messages/receipt-mail.ts';
import type { Order } from '../orders/order.ts';
import { printedReceipt } from './printed-receipt.ts';

const amountsOf = (order: Order) =>
  printedReceipt(order, FIRST_PRINT).flatMap((line) => (line.kind === 'amount' ? [[line.label, line.amount]] : []));
const textsOf = (order: Order) =>
  printedReceipt(order, FIRST_PRINT).flatMap((line) => (line.kind === 'text' ? [line.text] : []));

test('the printed receipt has the items and amounts of the e-mailed receipt, marked prices and a combined fee included', () => {
  for (const unifyServiceFee of [false, true]) {
    for (const pricesMarked of [false, true]) {
      const toPrice = { ...DINNER, receipt: { ...DINNER.receipt, pricesMarked } };
      const occasion = occasionOf(toPrice, { unifyServiceFee });
      const { receipt } = receiptMail(occasion);
      assert.ok(receipt);
      const order = givenTicketOrder({}, { request: occasion.order.request, quote: occasion.order.quote });
      assert.deepEqual(amountsOf(order), [
        ...receipt.items.map(({ quantity, name, totalCents }) => [`${quantity} x ${name}`, formatPrice(totalCents)]),
        ['Subtotal', formatPrice(receipt.subtotalCents)],
        ...receipt.charges.map(({ label, cents }) => [label, formatPrice(cents)]),
        ['Total (USD)', formatPrice(receipt.totalCents)],
        ['Paid by card', formatPrice(order.chargedCents)],
      ]);
    }
  }
});

test('it names the store with its address and phone, the order, its date, the customer and the account', () => {
  const texts = textsOf(givenTicketOrder({ notes: 'ring twice' }));
  for (const text of [
    'Test Pizzeria',
    '120 5th Ave, New York, NY 10011',
    '(212) 555-0123',
    'Order A17',
    'Date: Wed, Jun 10, 2026, 1:00 PM',
    'Arrives by: 1:40 PM',
    'Test Customer',
    'ring twice',
    'Toppings: Olives (+$6.50)',
    'Toppings: 2 x Olives (+$0.50)',
    '$22.00 each',
    'Thank you for your order, Test!',
    'Ordered with Supper Club',
  ]) {
    assert.ok(texts.includes(text), `${text}\n${texts.join('\n')}`);
  }
});

test('what was given back is on it: refunded, in part, or on its way', () => {
  const last = (changes: Partial<Order>) => amountsOf(givenTicketOrder({}, changes)).at(-1);
  const { chargedCents } = givenTicketOrder();
  assert.deepEqual(last({ chargeState: 'refunded', refundedCents: chargedCents }), [
    'Refunded',
    formatPrice(-chargedCents),
  ]);
  assert.deepEqual(last({ refundedCents: 250 }), ['Refunded', '-$2.50']);
  assert.deepEqual(last({ chargeState: 'refund_pending', refundingCents: chargedCents }), [
    'Refund on its way',
    formatPrice(-chargedCents),
  ]);
});

test('an order that was not charged shows no payment', () => {
  const labels = amountsOf(givenTicketOrder({}, { chargedCents: 0, chargeState: 'none' })).map(([label]) => label);
  assert.equal(labels.at(-1), 'Total (USD)');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DINNER, givenMessageContext, PLAIN_DINNER } from '../../../test/given/message-context.ts';
import { adjustmentOf, FIRST_PRINT, givenTicketOrder } from '../../../test/given/ticket.ts';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import { runs } from '../../../test/runs.ts';
import { receiptMail } from '../../notify/messages/order-mails.ts';
import type { Order } from '../../ordering/order/order.ts';
import { adjustedCents, repriceOrder } from '../../ordering/order/reprice-order.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { printedReceipt } from './ticket-documents.ts';

const amountsOf = (order: Order) =>
  printedReceipt(order, FIRST_PRINT).flatMap((line) => (line.kind === 'amount' ? [[line.label, line.amount]] : []));
const centsOf = (amount: string) => Math.round(Number(amount.replace(/[$,]/g, '')) * 100);
const textsOf = (order: Order) =>
  printedReceipt(order, FIRST_PRINT).flatMap((line) => (line.kind === 'text' ? [line.text] : []));

test('the printed receipt shows the emailed receipt’s items and amounts', () => {
  const context = givenMessageContext(PLAIN_DINNER);
  const { receipt } = receiptMail(context);
  assert.ok(receipt);
  const order = givenTicketOrder();
  assert.deepEqual(amountsOf(order), [
    ...receipt.items.map(({ quantity, name, totalCents }) => [`${quantity} x ${name}`, formatPrice(totalCents)]),
    ['Subtotal', formatPrice(receipt.subtotalCents)],
    ...receipt.charges.map(({ label, cents }) => [label, formatPrice(cents)]),
    ['Total (USD)', formatPrice(receipt.totalCents)],
    ['Paid by card', formatPrice(order.chargedCents)],
  ]);
});

test('marked prices, an added fee or an account’s fee each remove amounts from the printed receipt', () => {
  const { receipt: plain } = PLAIN_DINNER;
  const added = [
    { ...plain, pricesMarked: true },
    { ...plain, addedFee: DINNER.receipt.addedFee },
    { ...plain, miscFees: DINNER.receipt.miscFees },
  ];
  for (const receipt of added) {
    const { request, quote } = givenMessageContext({ ...PLAIN_DINNER, receipt }).order;
    const order = givenTicketOrder({}, { request, quote });
    assert.deepEqual([amountsOf(order), textsOf(order).filter((text) => text.includes('$'))], [[], []]);
    assert.ok(textsOf(order).includes('Margherita'));
  }
});

test('a receipt with missing items and substitutes adds up to the cent: charges minus refunds', () => {
  fc.assert(
    fc.property(carts, fc.nat({ max: 99 }), fc.boolean(), fc.boolean(), (cart, units, isReplaced, isCharged) => {
      const { quote } = givenMessageContext({ ...orderOf(cart), receipt: PLAIN_DINNER.receipt }).order;
      const [first] = quote.items;
      if (!first) return;
      const placed = givenTicketOrder({}, { quote, chargedCents: isCharged ? quote.totalWithTipCents : 0 });
      const adjusted = { ...placed, adjustments: [adjustmentOf(placed, units % (first.quantity + 1), isReplaced)] };
      const less = adjustedCents(adjusted);
      const moneyPlan: Order['moneyPlan'] = isCharged ? 'charged' : 'external';
      const order = { ...adjusted, moneyPlan, refundedCents: isCharged ? less : 0 };
      const lines = amountsOf(order).map(([label = '', amount = '']) => [label, centsOf(amount)] as const);
      const cents = (label: string) => lines.find(([name]) => name === label)?.[1] ?? 0;
      const subtotalAt = lines.findIndex(([label]) => label === 'Subtotal');
      const totalAt = lines.findIndex(([label]) => label === 'Total (USD)');
      const sum = (part: typeof lines) => part.reduce((all, [, amount]) => all + amount, 0);
      assert.equal(sum(lines.slice(0, subtotalAt)), cents('Subtotal'));
      assert.equal(sum(lines.slice(subtotalAt, totalAt)), cents('Total (USD)'));
      const rest = isCharged
        ? cents('Paid by card') + cents('Refunded')
        : cents('Total (USD)') + cents('Missing items');
      assert.equal(rest, repriceOrder(order).totalWithTipCents);
    }),
    { numRuns: runs(2000) },
  );
});

test('it names the store with its address and phone, the order, its date, the customer and the account', () => {
  const texts = textsOf(givenTicketOrder({ notes: 'ring twice' }));
  for (const text of [
    'Test Pizzeria',
    '120 5th Ave, New York, NY 10011',
    '(212) 555-0123',
    'Order A17',
    'Placed Jun 10, 2026, 1:00 PM',
    'Arrives by',
    '1:40 PM',
    'Test Customer',
    'ring twice',
    'Toppings: Olives (+$6.00)',
    'Toppings: 2 x Olives (+$0.50)',
    '$20.50 each',
    'Thank you for your order, Test!',
    'Ordered with Supper Club',
  ]) {
    assert.ok(texts.includes(text), `${text}\n${texts.join('\n')}`);
  }
});

test('it shows refunds as refunded, partial or pending', () => {
  const last = (changes: Partial<Order>) => amountsOf(givenTicketOrder({}, changes)).at(-1);
  const { chargedCents } = givenTicketOrder();
  assert.deepEqual(last({ chargeState: 'refunded', refundedCents: chargedCents }), [
    'Refunded',
    formatPrice(-chargedCents),
  ]);
  assert.deepEqual(last({ refundedCents: 250 }), ['Refunded', '-$2.50']);
  assert.deepEqual(last({ chargeState: 'refund_pending', refundingCents: chargedCents }), [
    'Refund on the way',
    formatPrice(-chargedCents),
  ]);
});

test('an uncharged order shows no payment', () => {
  const labels = amountsOf(givenTicketOrder({}, { chargedCents: 0, chargeState: 'none' })).map(([label]) => label);
  assert.equal(labels.at(-1), 'Total (USD)');
});

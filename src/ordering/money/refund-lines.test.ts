import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ENGLISH } from '../../../test/given/locales.ts';
import { DINNER, givenMessageContext, givenRefundContext } from '../../../test/given/message-context.ts';
import { mailFrame } from '../../app/adapters/mail-frame.ts';
import { afterRefunds } from '../../notify/messages/mail-content.ts';
import { writeMessage } from '../../notify/messages/write-message.ts';
import { NO_SHARES } from '../order/shares.ts';
import { receiptOfOrder } from './receipt.ts';
import { refundLines, type ShownRefund } from './refund-lines.ts';

const { order } = givenMessageContext(DINNER);

const refund: fc.Arbitrary<ShownRefund> = fc
  .record({
    kind: fc.constantFrom('requested', 'item_changed', 'canceled', 'at_gateway'),
    reason: fc.string(),
    cents: fc.integer({ min: 1, max: 5000 }),
    state: fc.constantFrom('pending', 'done', 'failed'),
    units: fc.array(fc.record({ index: fc.nat(3), quantity: fc.integer({ min: 1, max: 9 }) }), { maxLength: 2 }),
  })
  .map(({ units, ...one }) => ({
    ...one,
    items: units.map((unit) => ({ ...unit, cents: 0, taxCents: 0, taxes: [], shares: NO_SHARES })),
    refundedCents: one.state === 'done' ? one.cents : 0,
  }));

const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);

test('a receipt after any refunds and a later tip adds up to the cent, however many refunds it names', () => {
  fc.assert(
    fc.property(fc.array(refund, { maxLength: 60 }), fc.nat(5000), fc.nat(40), (refunds, addedTipCents, hidden) => {
      const refundedCents = sum(refunds.map((one) => one.refundedCents));
      const refundingCents = sum(refunds.map(({ state, cents }) => (state === 'pending' ? cents : 0)));
      const after = { ...order, addedTipCents, refundedCents, refundingCents };
      // The reader may not yet see all of the order's refunds.
      const receipt = receiptOfOrder(after, refunds.slice(hidden), ENGLISH);
      const charged = order.quote.totalWithTipCents + addedTipCents;
      assert.equal(receipt.totalCents, charged);
      assert.equal(receipt.subtotalCents + sum(receipt.charges.map(({ cents }) => cents)), charged);
      assert.equal(afterRefunds(receipt), charged - refundedCents - refundingCents);
      assert.ok(receipt.refunds.length <= 24);
    }),
  );
});

test('a line of a refund says what it was for', () => {
  const items = [{ index: 0, quantity: 2, cents: 5, taxCents: 0, taxes: [], shares: NO_SHARES }];
  const plain: ShownRefund = { kind: 'requested', reason: '', items: [], cents: 5, refundedCents: 5, state: 'done' };
  const labels: [changes: Partial<ShownRefund>, label: string][] = [
    [{}, 'Refunded'],
    [{ reason: 'arrived late' }, 'Refund: Arrived late.'],
    [{ reason: 'out_of_stock' }, 'Refund: The store ran out of something you ordered.'],
    [{ items, reason: 'cold' }, 'Refund: 2 x Margherita'],
    [{ kind: 'canceled', reason: 'out_of_stock' }, 'Refunded'],
    [{ state: 'pending', refundedCents: 0 }, 'Refund on the way'],
  ];
  for (const [changes, label] of labels) {
    const refundingCents = changes.state === 'pending' ? 5 : 0;
    const refunded = { ...order, refundedCents: 5 - refundingCents, refundingCents };
    assert.deepEqual(refundLines(refunded, [{ ...plain, ...changes }], ENGLISH), [{ label, cents: -5 }]);
  }
});

test('a refund’s email names amount, card, units and reason, and its receipt adds up', async () => {
  const frame = await mailFrame();
  const context = givenRefundContext(DINNER, { texts: { reason: 'arrived cold' } });
  const mail = writeMessage({ channel: 'email', kind: 'order_refunded' }, context, {
    mailFrom: 'Doorstep <mail@doorstep.example>',
    textFrom: undefined,
    frame,
  });
  for (const text of ['$4.35', 'Visa ending in 4242', '1 x Margherita', 'Arrived cold.', 'Refund: Arrived cold.']) {
    assert.ok(mail.text.includes(text), text);
    assert.ok(mail.html?.replaceAll('&times;', 'x').includes(text), text);
  }
  assert.equal(mail.subject, 'A refund for your order from Test Pizzeria');
  const amounts = [...mail.text.matchAll(/ \.{3,} (-?)\$(\d+)\.(\d\d)$/gm)].map(([, sign, dollars, cents]) =>
    Number(`${sign}${dollars}${cents}`),
  );
  const total = order.quote.totalWithTipCents;
  assert.deepEqual(amounts.slice(-4), [total, -300, -435, total - 735]);
});

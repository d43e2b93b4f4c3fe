import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { discountedOrders } from '../../../test/given/discounted-orders.ts';
import { givenMessageContext } from '../../../test/given/message-context.ts';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import { quoteChanges } from './quote-changes.ts';

test('the named changes add up to the change of the total, to the cent; nothing changed names nothing', () => {
  fc.assert(
    fc.property(carts, carts, (one, two) => {
      const [before, after] = [one, two].map((cart) => givenMessageContext(orderOf(cart)).order.quote);
      assert.ok(before && after);
      const changes = quoteChanges(before, after);
      const sum = changes.reduce((cents, { beforeCents, afterCents }) => cents + afterCents - beforeCents, 0);
      assert.equal(sum, after.totalWithTipCents - before.totalWithTipCents);
      assert.deepEqual(quoteChanges(before, before), []);
    }),
  );
});

test('promotions that begin or end between quotes are named with their amounts', () => {
  fc.assert(
    fc.property(discountedOrders, discountedOrders, ({ order: { quote: before } }, { order: { quote: after } }) => {
      const changes = quoteChanges(before, after);
      const sum = changes.reduce((cents, { beforeCents, afterCents }) => cents + afterCents - beforeCents, 0);
      assert.equal(sum, after.totalWithTipCents - before.totalWithTipCents);
      assert.deepEqual(quoteChanges(before, before), []);
      const idsOf = ({ discounts = [] }: typeof before) => discounts.map(({ promotionId }) => promotionId);
      const ended = changes.flatMap((one) => (one.kind === 'discount' && one.afterCents === 0 ? [one.discount] : []));
      assert.deepEqual(
        ended.map(({ promotionId }) => promotionId),
        idsOf(before).filter((id) => !idsOf(after).includes(id)),
      );
    }),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { discountedOrders } from '../../../test/given/discounted-orders.ts';
import { HAS_CONTRACTS, shapeOf } from '../../../test/ucp/contract.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { linesOf, totalsOf } from './checkout-lines.ts';

const LOCALE = localeOf('en', 'US');
const totalsSchema = () => Compile(Type.Unsafe(shapeOf('common/types/totals.json', 'response')));
const sumOf = (totals: readonly { amount: number }[]) => totals.reduce((sum, { amount }) => sum + amount, 0);

test('totals of a discounted checkout and of its lines add up, and are valid by the schema', () => {
  const schema = HAS_CONTRACTS ? totalsSchema() : undefined;
  fc.assert(
    fc.property(discountedOrders, ({ order: { quote } }) => {
      const totals = totalsOf(quote, LOCALE);
      const ofType = (wanted: string) => totals.filter(({ type }) => type === wanted);
      assert.equal(sumOf(totals), 2 * quote.totalWithTipCents);
      assert.deepEqual(
        ofType('total').map(({ amount }) => amount),
        [quote.totalWithTipCents],
      );
      assert.equal(sumOf([...ofType('items_discount'), ...ofType('discount')]), 0 - (quote.discountCents ?? 0));
      const ordered = quote.items.map((_, nth) => ({ id: `li_${nth + 1}` }));
      const lines = linesOf(ordered, quote.items, quote);
      assert.deepEqual(
        lines.map(({ id }) => id),
        ordered.map(({ id }) => id),
      );
      let offLines = 0;
      for (const { totals: own } of lines) {
        assert.equal(sumOf(own), 2 * (own.at(-1)?.amount ?? 0));
        offLines += sumOf(own.filter(({ type }) => type === 'items_discount'));
        assert.deepEqual(schema?.Errors(own) ?? [], []);
      }
      assert.equal(offLines, sumOf(ofType('items_discount')));
      if (quote.totalWithTipCents >= 0 && quote.markupCents >= 0) assert.deepEqual(schema?.Errors(totals) ?? [], []);
    }),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { givenMessageContext } from '../../../test/given/message-context.ts';
import { assertOwners, STEPS, takeAny, units } from '../../../test/lives/any-step.ts';
import { ledgerOf } from '../../../test/lives/ledger-lives.ts';
import {
  askGateway,
  type LedgerRefund,
  type PureLife,
  placedLife,
  refund,
  refundByStore,
  takeStep,
} from '../../../test/lives/pure-life.ts';
import { carts, orderOf, taxName } from '../../../test/oracles/carts.ts';
import { markedUnitOf, type OracleCart, unitOf } from '../../../test/oracles/price-oracle.ts';
import { oracleStoreLeft, oracleStorePart } from '../../../test/oracles/refund-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { refundableCents } from '../order/order.ts';

const ORDERS = runs(10_000);
type What = Parameters<typeof refundByStore>[1];
const { storeRefund, refund: byAccount, adjust } = STEPS;
const moves = fc.oneof({ weight: 3, arbitrary: storeRefund }, { weight: 2, arbitrary: byAccount }, adjust);
const filled = carts.filter(({ lines }) => lines.length > 0);

/** The refunds of a life by the oracle's names of taxes. */
const partsOf = (cart: OracleCart, refunds: readonly LedgerRefund[], hasDelivery: boolean) =>
  refunds
    .filter(({ state }) => state !== 'failed')
    .map(({ shares, requestedBy }) => {
      const places = new Map((cart.namedTaxes ?? ['']).map((_, at) => [taxName(cart, at), at] as const));
      const key = (name: string, taxClass: string) => `${places.get(name) ?? 0} ${taxClass}`;
      return {
        byStore: requestedBy === 'store',
        sales: BigInt(shares.salesCents),
        delivery: hasDelivery ? BigInt(shares.deliveryFeesCents) : 0n,
        taxes: new Map(shares.taxLines.map((line) => [key(line.name, line.taxClass), BigInt(line.cents)])),
      };
    });

test(`${ORDERS} random orders: a store never gives back more than its own part left, and the books balance`, (t) => {
  const counts = { made: 0, refused: 0, whole: 0 };
  const property = fc.property(
    filled,
    fc.constantFrom('store' as const, 'operator' as const),
    fc.array(fc.tuple(moves, fc.boolean()), { minLength: 1, maxLength: 8 }),
    (cart, delivery, life) => {
      const hasDelivery = delivery === 'store';
      const real = placedLife(givenMessageContext(orderOf(cart)).order, 'card');
      takeStep(real, 'confirm');
      const part = oracleStorePart(cart, hasDelivery);
      const leftNow = () => oracleStoreLeft(part, partsOf(cart, real.ledger, hasDelivery));
      for (const [move, answers] of life) {
        if (move.do === 'store_refund') storeMove(real, cart, move.what, { hasDelivery, left: leftNow(), counts });
        else takeAny(real, move, { mood: 'silent' });
        if (answers) askGateway(real, 'answers');
      }
      const before = leftNow();
      const [rest, kept] = [before < 0n ? 0n : before, BigInt(refundableCents(real.order))];
      const all = Number(rest < kept ? rest : kept);
      assert.equal(refundByStore(real, { cents: all + 1 }, hasDelivery), undefined, 'a cent more than is left');
      if (all > 0 && real.order.chargedCents > 0) {
        assert.equal(refundByStore(real, { cents: all }, hasDelivery), all, 'all that is left');
        counts.whole += 1;
      }
      askGateway(real, 'answers');
      assert.ok(refundableCents(real.order) >= 0);
      const terms = { commissionPercent: 15, perOrderCents: 0, deliveryFee: delivery, tax: 'operator' } as const;
      const entries = ledgerOf(real.log, { terms, hasCourier: false });
      assertOwners(real, entries);
      for (const [at, { event }] of real.log.entries()) {
        const entry = entries[at];
        if (!entry || event.type !== 'order.refunded' || event.data.by !== 'store') continue;
        if (delivery === 'operator') assert.equal(entry.deliveryFeesCents, 0);
        assert.equal(entry.operatorCents, entry.commissionCents, 'the operator gives back commission alone');
      }
    },
  );
  fc.assert(property, { numRuns: ORDERS });
  t.diagnostic(JSON.stringify(counts));
  assert.ok(
    counts.made > ORDERS / 4 && counts.refused > ORDERS / 4 && counts.whole > ORDERS / 4,
    JSON.stringify(counts),
  );
});

type Around = { hasDelivery: boolean; left: bigint; counts: { made: number; refused: number } };

function storeMove(life: PureLife, cart: OracleCart, wanted: What, { hasDelivery, left, counts }: Around): void {
  const kept = refundableCents(life.order);
  const made = refundByStore(life, wanted, hasDelivery);
  if (made === undefined) {
    counts.refused += 1;
    if ('cents' in wanted) assert.ok(BigInt(wanted.cents) > left || wanted.cents > kept || kept === 0);
    return;
  }
  counts.made += 1;
  assert.ok(BigInt(made) <= left, `${made} of ${left}`);
  const booked = life.ledger.at(-1) ?? assert.fail();
  for (const item of booked.items) {
    const line = cart.lines[item.index] ?? assert.fail();
    const unit = cart.pricesMarked && markedUnitOf(line) < unitOf(line) ? markedUnitOf(line) : unitOf(line);
    assert.equal(BigInt(item.shares.salesCents), unitOf(line) * BigInt(item.quantity));
    assert.ok(
      BigInt(item.cents) <= unit * BigInt(item.quantity),
      'a unit is its own price, a marked-down one what was paid',
    );
  }
}

test('units in any parts come to the line at the store’s price with its tax, and a later refund finds the others', () => {
  const property = fc.property(filled, fc.array(fc.tuple(fc.boolean(), units), { maxLength: 12 }), (cart, tries) => {
    const life = placedLife(givenMessageContext(orderOf({ ...cart, pricesMarked: false })).order, 'card');
    takeStep(life, 'confirm');
    for (const [byStore, item] of tries) {
      if (byStore) refundByStore(life, { items: [item] }, false);
      else refund(life, { items: [item], reason: '' });
    }
    for (const [index, line] of cart.lines.entries()) {
      const given = life.ledger.flatMap(({ items }) => items).filter((item) => item.index === index);
      const count = sumCents(given.map(({ quantity }) => quantity));
      assert.ok(count <= Number(line.quantity));
      assert.equal(BigInt(sumCents(given.map(({ cents }) => cents))), unitOf(line) * BigInt(count));
    }
  });
  fc.assert(property, { numRuns: runs(2000) });
});

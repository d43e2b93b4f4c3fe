import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { givenMessageContext } from '../../../test/given/message-context.ts';
import {
  adjust,
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
import { refundableCents } from '../order/order.ts';
import { followEvent, openLedger } from '../statements/ledger-entry.ts';

const ORDERS = runs(10_000);
const units = fc.record({ index: fc.nat({ max: 3 }), quantity: fc.integer({ min: 1, max: 4 }) });
type What = Parameters<typeof refundByStore>[1];
const what: fc.Arbitrary<What> = fc.oneof(
  fc.integer({ min: 1, max: 8000 }).map((cents) => ({ cents })),
  fc.array(units, { minLength: 1, maxLength: 2 }).map((items) => ({ items })),
);
type Move =
  | { by: 'store'; what: What }
  | { by: 'account'; what: What }
  | { by: 'kitchen'; index: number; quantity: number };
const moves: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: what.map((one) => ({ by: 'store' as const, what: one })) },
  { weight: 2, arbitrary: what.map((one) => ({ by: 'account' as const, what: one })) },
  fc.record({ by: fc.constant('kitchen' as const), index: fc.nat({ max: 3 }), quantity: fc.nat({ max: 3 }) }),
);
const filled = carts.filter(({ lines }) => lines.length > 0);

const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);

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

/** Every cent of charges and refunds has an owner in the entries, and taxes by name add up. */
function assertBooks({ log }: PureLife, delivery: 'store' | 'operator'): void {
  const [placed = assert.fail()] = log;
  const terms = { commissionPercent: 15, perOrderCents: 0, deliveryFee: delivery, tax: 'operator' } as const;
  let state = openLedger(placed.order, { terms, hasCourier: false });
  for (const { event, order } of log) {
    const followed = followEvent(state, { ...event, order });
    state = followed.state;
    const { entry } = followed;
    if (event.type !== 'order.refunded' || !entry) continue;
    const { storeCents, driverCents, taxesCents, operatorCents, accountCents } = entry;
    assert.equal(sum([storeCents, driverCents, taxesCents, operatorCents, accountCents]), -event.data.refund_cents);
    assert.equal(sum(entry.taxLines.map(({ cents }) => cents)), taxesCents);
    if (event.data.by !== 'store') continue;
    assert.deepEqual([entry.tipCents, entry.serviceFeesCents, driverCents], [0, 0, 0]);
    assert.ok(accountCents >= 0, 'the account gets a markdown back, and gives nothing');
    if (delivery === 'operator') assert.equal(entry.deliveryFeesCents, 0);
    assert.equal(operatorCents, entry.commissionCents, 'the operator gives back commission alone');
  }
}

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
        if (move.by === 'store') storeMove(real, cart, move.what, { hasDelivery, left: leftNow(), counts });
        else otherMove(real, cart, move);
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
      assertBooks(real, delivery);
    },
  );
  fc.assert(property, { numRuns: ORDERS });
  t.diagnostic(JSON.stringify(counts));
  assert.ok(
    counts.made > ORDERS / 4 && counts.refused > ORDERS / 4 && counts.whole > ORDERS / 4,
    JSON.stringify(counts),
  );
});

function otherMove(life: PureLife, cart: OracleCart, move: Exclude<Move, { by: 'store' }>): void {
  if (move.by === 'account') refund(life, 'items' in move.what ? { ...move.what, reason: '' } : move.what);
  else if (move.index < cart.lines.length && move.quantity > 0) adjust(life, move.index, move.quantity);
}

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
      const count = sum(given.map(({ quantity }) => quantity));
      assert.ok(count <= Number(line.quantity));
      assert.equal(BigInt(sum(given.map(({ cents }) => cents))), unitOf(line) * BigInt(count));
    }
  });
  fc.assert(property, { numRuns: runs(2000) });
});

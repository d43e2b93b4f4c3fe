import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { entriesOf, type Life, lives } from '../../../test/lives/ledger-lives.ts';
import type { LedgerRefund, LifeEvent, LifeFact } from '../../../test/lives/pure-life.ts';
import {
  type OracleEntry,
  type OracleFact,
  type OracleUnits,
  oracleEntries,
} from '../../../test/oracles/statement-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { NO_SHARES, type Shares, sharesOfOrder, takeShares } from '../order/shares.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { monthAfter, monthOf, statementMonth } from './month.ts';

const LIVES = runs(10_000);

/** The oracle's input for what happened; undefined for a refund's event, whose end is a fact before it. */
function factOf({ cart }: Life, happened: LifeFact): OracleFact | undefined {
  const { order } = happened;
  const isTipBack = order.status === 'canceled' && !['picked_up', 'nearby'].includes(order.driverStage);
  if ('booked' in happened) return { ...bookedFact(happened.booked), isTipBack };
  if ('ended' in happened) {
    return { type: 'ended', id: happened.ended, cents: BigInt(happened.ended.refundedCents) };
  }
  const { event } = happened;
  switch (event.type) {
    case 'order.tipped':
      return { type: 'tipped', cents: BigInt(event.data.added_cents) };
    case 'order.item_changed': {
      const unitsOf = (index: number) => order.adjustments.find((one) => one.index === index)?.quantity;
      return { type: 'changed', handed: cart.lines.map(({ quantity }, index) => BigInt(unitsOf(index) ?? quantity)) };
    }
    case 'order.completed':
      return { type: 'completed' };
    case 'order.canceled':
      return { type: 'canceled', isTipBack };
    case 'order.placed':
      return { type: 'placed' };
    default:
      return undefined;
  }
}

function bookedFact(refund: LedgerRefund): Omit<Extract<OracleFact, { type: 'booked' }>, 'isTipBack'> {
  const { items, kind, cents, tipCents, reason } = refund;
  const units = items.map(
    ({ index, quantity, cents: price, taxCents, taxes = [], missing }): OracleUnits => ({
      line: index,
      units: BigInt(quantity),
      cents: BigInt(price),
      tax: BigInt(taxCents),
      taxes: taxes.map(BigInt),
      missing: reason === 'missing' ? BigInt(missing ?? quantity) : null,
    }),
  );
  const because = items.length > 0 ? 'units' : kind === 'item_changed' ? 'changed' : 'amount';
  return { type: 'booked', id: refund, cents: BigInt(cents), tip: BigInt(tipCents), because, units };
}

const inBigInts = (entry: LedgerEntry): OracleEntry => ({
  kind: entry.kind,
  sales: BigInt(entry.salesCents),
  delivery: BigInt(entry.deliveryFeesCents),
  service: BigInt(entry.serviceFeesCents),
  taxes: BigInt(entry.taxesCents),
  tip: BigInt(entry.tipCents),
  account: BigInt(entry.accountCents),
  commission: BigInt(entry.commissionCents),
  elsewhere: BigInt(entry.collectedElsewhereCents),
  collected: BigInt(entry.collectedCents),
  passedOn: BigInt(entry.tipsToPassOnCents),
  payout: BigInt(entry.payoutCents),
  owners: {
    store: BigInt(entry.storeCents),
    driver: BigInt(entry.driverCents),
    tax: BigInt(entry.taxesCents),
    operator: BigInt(entry.operatorCents),
    account: BigInt(entry.accountCents),
  },
});

/** An event's charges less its refunds; 0 for an order charged elsewhere. */
function moneyOf({ pays }: Life, { event, order }: LifeEvent): number {
  if (pays === 'elsewhere') return 0;
  if (event.type === 'order.refunded') return -event.data.refund_cents;
  if (pays === 'cash') return event.type === 'order.completed' ? order.chargedCents : 0;
  if (event.type === 'order.placed') return order.quote.totalWithTipCents;
  return event.type === 'order.tipped' ? event.data.added_cents : 0;
}

const sharesOf = (entry: LedgerEntry | undefined): number =>
  entry ? entry.storeCents + entry.driverCents + entry.taxesCents + entry.operatorCents + entry.accountCents : 0;

/** Throws where entries are not the oracle's, or their shares are not the money of their events. */
function assertEntries(life: Life, entries: readonly (LedgerEntry | undefined)[]): void {
  const facts = life.facts.flatMap((happened) => factOf(life, happened) ?? []);
  const isEvent = (fact: OracleFact) => fact.type !== 'booked' && !(fact.type === 'ended' && fact.cents === 0n);
  const hasOwnDriver = !life.cart.pickup && (!life.hasCourier || life.pays === 'cash');
  const all = oracleEntries(life.cart, { ...life, hasOwnDriver }, facts);
  const expected = all.filter((_, at) => isEvent(facts[at] as OracleFact));
  life.events.forEach((event, at) => {
    const entry = entries[at];
    assert.deepEqual(entry && inBigInts(entry), expected[at], event.event.type);
    assert.equal(sharesOf(entry), moneyOf(life, event), event.event.type);
  });
}

test(`${LIVES} random lives of orders: every cent of charges and refunds has exactly one of five owners, and the tip is the driver's, as the oracle says`, (t) => {
  const kinds = new Map<string, number>();
  const property = fc.property(lives, (life) => {
    const entries = entriesOf(life);
    assertEntries(life, entries);
    for (const entry of entries) if (entry) kinds.set(entry.kind, (kinds.get(entry.kind) ?? 0) + 1);
  });
  fc.assert(property, { numRuns: LIVES });
  t.diagnostic(JSON.stringify(Object.fromEntries(kinds)));
  // Guards against lives where nothing happens.
  for (const kind of ['refund', 'adjustment', 'tip']) assert.ok((kinds.get(kind) ?? 0) > LIVES / 20, kind);
});

test('a cent that moves to another owner, or a commission that stays, is noticed', () => {
  const sabotages: ((entry: LedgerEntry) => LedgerEntry)[] = [
    (entry) => ({ ...entry, storeCents: entry.storeCents + 1, operatorCents: entry.operatorCents - 1 }),
    (entry) => ({ ...entry, salesCents: entry.salesCents - 1, taxesCents: entry.taxesCents + 1 }),
    (entry) => ({ ...entry, accountCents: entry.accountCents - 1 }),
    (entry) => (entry.commissionCents < 0 ? { ...entry, commissionCents: 0 } : { ...entry, commissionCents: 1 }),
  ];
  const property = fc.property(lives, fc.constantFrom(...sabotages), (life, sabotage) => {
    const entries = entriesOf(life);
    const at = entries.findIndex((entry) => entry !== undefined);
    const first = entries[at];
    fc.pre(first !== undefined && first.commissionCents !== 1);
    assert.throws(() => assertEntries(life, entries.with(at, first && sabotage(first))), assert.AssertionError);
  });
  fc.assert(property, { numRuns: runs(200) });
});

test('refunds of units that are shared in proportion, or by the whole line, are noticed', () => {
  type Data = Extract<LifeEvent['event'], { type: 'order.refunded' }>['data'];
  const sabotages: ((data: Data, order: LifeEvent['order']) => Shares)[] = [
    ({ refund_cents: cents }, order) => takeShares(sharesOfOrder(order), cents),
    ({ shares = NO_SHARES }) => ({ ...shares, salesCents: shares.salesCents + shares.accountCents, accountCents: 0 }),
  ];
  const property = fc.property(lives, fc.constantFrom(...sabotages), (life, sabotage) => {
    const events = life.events.map((happened): LifeEvent => {
      const { event, order } = happened;
      if (event.type !== 'order.refunded' || event.data.kind !== 'requested' || event.data.items.length === 0)
        return happened;
      return { order, event: { ...event, data: { ...event.data, shares: sabotage(event.data, order) } } };
    });
    const entries = entriesOf({ ...life, events });
    fc.pre(JSON.stringify(entries) !== JSON.stringify(entriesOf(life)));
    assert.throws(() => assertEntries(life, entries), assert.AssertionError);
  });
  fc.assert(property, { numRuns: runs(200) });
});

type Booked = { order: number; date: string; month: string; isCorrection: boolean; shares: number; money: number };

/** Books lives over three months, each event some hours after it happened, and closes the months in between. */
function bookLives(all: readonly Life[], hours: readonly number[], closings: readonly number[]) {
  const begin = Temporal.Instant.from('2026-09-02T05:00:00Z');
  const dayAt = (hour: number) =>
    begin.add({ hours: hour }).toZonedDateTimeISO('America/Vancouver').toPlainDate().toString();
  let nth = 0;
  const next = () => hours[nth++ % hours.length] ?? 0;
  const waiting = all.flatMap((life, order) => {
    let hour = next() * 3;
    let booked = 0;
    return life.events.map((event, at) => {
      hour += next();
      // Entries of an order are written in order.
      booked = Math.max(booked, hour + next());
      return { order, date: dayAt(hour), booked, money: moneyOf(life, event), at, life };
    });
  });
  const entries = new Map(all.map((life) => [life, entriesOf(life)]));
  const written: Booked[] = [];
  const closed = new Map<string, string>();
  const contentOf = (month: string) => JSON.stringify(written.filter((entry) => entry.month === month));
  let closedThrough = '';
  const close = (hour: number) => {
    const ended = Temporal.PlainYearMonth.from(monthOf(dayAt(hour)))
      .subtract({ months: 1 })
      .toString();
    if (ended <= closedThrough) return;
    closedThrough = ended;
    closed.set(ended, contentOf(ended));
  };
  const moments = [
    ...waiting.map((one) => ({ hour: one.booked, one })),
    ...closings.map((hour) => ({ hour, one: undefined })),
  ].toSorted((a, b) => a.hour - b.hour);
  for (const { hour, one } of moments) {
    if (!one) {
      close(hour);
      continue;
    }
    const shares = sharesOf(entries.get(one.life)?.[one.at]);
    const { order, date, money } = one;
    written.push({ order, date, money, shares, ...statementMonth(date, monthAfter(closedThrough)) });
  }
  return { written, closed, contentOf, waiting };
}

test('three months with closings: closed months never change, and shares of any stores and period are charges less refunds', (t) => {
  let corrections = 0;
  const property = fc.property(
    fc.array(lives, { minLength: 2, maxLength: 6 }),
    fc.array(fc.nat({ max: 600 }), { minLength: 5, maxLength: 40 }),
    fc.array(fc.nat({ max: 2400 }), { minLength: 3, maxLength: 6 }),
    fc.tuple(fc.nat({ max: 90 }), fc.nat({ max: 90 }), fc.nat()),
    (all, hours, closings, [from, days, stores]) => {
      const { written, closed, contentOf, waiting } = bookLives(all, hours, closings);
      assert.equal(written.length, waiting.length);
      for (const [month, content] of closed) assert.equal(contentOf(month), content, month);
      for (const { date, month, isCorrection } of written) {
        assert.ok(isCorrection ? month > monthOf(date) : month === monthOf(date));
        corrections += Number(isCorrection);
      }
      const first = Temporal.PlainDate.from('2026-09-01').add({ days: from });
      const period = [first.toString(), first.add({ days }).toString()] as const;
      const isIn = ({ order, date }: { order: number; date: string }) =>
        ((stores >> order) & 1) === 1 && date >= period[0] && date <= period[1];
      const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);
      assert.equal(
        sum(written.filter(isIn).map(({ shares }) => shares)),
        sum(waiting.filter(isIn).map(({ money }) => money)),
      );
      for (const month of new Set(written.map((entry) => entry.month))) {
        const ofMonth = written.filter((entry) => entry.month === month);
        assert.equal(sum(ofMonth.map(({ shares }) => shares)), sum(ofMonth.map(({ money }) => money)), month);
      }
    },
  );
  fc.assert(property, { numRuns: runs(500) });
  t.diagnostic(`${corrections} corrections`);
  assert.ok(corrections > 0);
});

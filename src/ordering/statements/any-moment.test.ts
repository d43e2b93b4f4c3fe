import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { discountedOrders } from '../../../test/given/discounted-orders.ts';
import { checkJournal } from '../../../test/given/hledger.ts';
import { givenMessageContext } from '../../../test/given/message-context.ts';
import { weighedCarts, weighedOrderOf } from '../../../test/given/weighed-orders.ts';
import { assertMoment, assertOwners, STEPS, takeAny } from '../../../test/lives/any-step.ts';
import { ledgerOf, storeTerms } from '../../../test/lives/ledger-lives.ts';
import { type Paying, type PureLife, placedLife } from '../../../test/lives/pure-life.ts';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import { runs, takesAllRuns } from '../../../test/runs.ts';
import { sumCents } from '../../platform/lib/money.ts';
import type { Order } from '../order/order.ts';
import { taxationOf } from '../order/reprice-order.ts';
import { addTaxes, orderTaxes, type TaxLine, unitTaxes } from '../order/tax-lines.ts';
import { journalEnd, journalEntry, keptAfter } from './journal.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { keptCommission } from './split-order.ts';

/** The money of orders of every plan, after every step: a million steps a night, otherwise for up to ten seconds. */

const paidAs = (orders: fc.Arbitrary<Order>, ...pays: Paying[]) => fc.tuple(orders, fc.constantFrom(...pays));
const plain = carts.filter(({ lines }) => lines.length > 0).map((cart) => givenMessageContext(orderOf(cart)).order);
const orders = fc.oneof(
  paidAs(plain, ...(['card', 'card', 'cash', 'elsewhere', 'at_store'] as const)),
  paidAs(
    discountedOrders.map(({ order }) => order),
    ...(['card', 'card', 'cash', 'at_store'] as const),
  ),
  paidAs(
    weighedCarts.map((cart) => weighedOrderOf(cart).estimate),
    ...(['hold', 'hold', 'card', 'lost_hold', 'cash', 'at_store'] as const),
  ),
);
const { step, drive, refund, storeRefund, adjust, weigh, tip, tipBack } = STEPS;
const DELIVERY = (['confirm', 'assign_driver', 'pick_up', 'complete'] as const).map((event) => ({
  do: 'step' as const,
  event,
}));
const anyStep = fc.oneof(step, drive, weigh, weigh, refund, storeRefund, adjust, tip, tip, tipBack);
/** Any steps, with some of a delivery's in between. */
const steps = fc
  .tuple(fc.array(anyStep, { minLength: 5, maxLength: 12 }), fc.integer({ min: 0, max: 4 }), weigh)
  .map(([any, many, weights]) => {
    const [confirm, ...others] = DELIVERY;
    const path = [confirm, weights, ...others].slice(0, many + Number(many > 0));
    return any.flatMap((one, at) => [one, ...path.slice(at, at + 1)]).flatMap((one) => one ?? []);
  });

test('at every moment of an order, charges less refunds are the amount its customer owes and its owners share, and no share moves twice', (t) => {
  const plans = new Map<string, number>();
  const journals: string[] = [];
  let taken = 0;
  const property = fc.property(orders, steps, storeTerms, ([order, pays], all, store) => {
    const life = placedLife(order, pays === 'cash' && order.quote.totalWithTipCents === 0 ? 'card' : pays);
    assertMoment(life);
    for (const one of all) {
      takeAny(life, one, { hasDeliveryFee: store.terms.deliveryFee === 'store' });
      assertMoment(life);
      taken += 1;
    }
    const entries = ledgerOf(life.log, store);
    assertOwners(life, entries);
    if (journals.length < 400) journals.push(journalOf(life, entries, `${journals.length}`));
    const captured = life.log.findIndex(({ event }) => event.type === 'order.captured');
    const sale = captured < 0 ? undefined : entries[captured]?.kind;
    if (captured >= 0) assert.equal(sale, life.order.moneyPlan === 'held' ? 'sale' : 'adjustment');
    if (life.order.moneyPlan === 'maximum_charged') assert.equal(entries[0]?.kind, 'sale');
    const kind = `${life.order.moneyPlan} ${life.order.status}`;
    plans.set(kind, (plans.get(kind) ?? 0) + 1);
  });
  fc.assert(property, { numRuns: runs(80_000, 2_000), ...(!takesAllRuns() && { interruptAfterTimeLimit: 10_000 }) });
  t.diagnostic(`${taken} steps: ${JSON.stringify(Object.fromEntries(plans))}`);
  for (const plan of ['charged', 'held', 'maximum_charged', 'collected', 'paid_to_store', 'external'])
    assert.ok(plans.has(`${plan} completed`), plan);
  const complaint = checkJournal(journals.join(''));
  if (complaint === undefined) t.diagnostic('The journals are not checked, because hledger is not installed.');
  else assert.equal(complaint, '');
  const sabotaged = checkJournal(journals.join('').replace(/ = -?\d+/, '$&1'));
  assert.match(sabotaged ?? 'balance assertion', /balance assertion/, 'another balance by the log is noticed');
});

/** The journal of a life as one of its own store. */
function journalOf({ log }: PureLife, entries: readonly (LedgerEntry | undefined)[], name: string): string {
  const [orderId, storeId, date] = [`ord_${name}`, `store_${name}`, '2026-06-10'];
  let kept: number | null = 0;
  const parts = log.map(({ event, order }, at) => {
    const entry = entries[at];
    if (!entry) return '';
    kept = keptAfter(event.type, entry, order);
    const taxLines = entry.taxLines.map((line) => ({ ...line, name: `=  1 USD ; :(${line.name})\n` }));
    return journalEntry({ ...entry, taxLines, orderId, date, beforeCents: 0 }, storeId, 'USD');
  });
  const storeCents = sumCents(entries.map((entry) => entry?.storeCents ?? 0));
  return parts.join('') + journalEnd({ storeId, storeCents, country: 'US' }, date, new Map([[orderId, kept]]));
}

test('the commission goes back in proportion to the refunded subtotal, and wholly with the last cent of it', () => {
  const kept = [1010, 707, 0].map((left) => keptCommission(15, 1010, left));
  assert.deepEqual([...kept, keptCommission(15, 0, 0)], [152, 152 - 46, 0, 0]);
});

test('the taxed amounts of units refunded one by one add up to those of the order', () => {
  const isOfItem = ({ taxClass, baseCents }: TaxLine) => taxClass !== 'fee' && baseCents > 0;
  const basesOf = (lines: readonly TaxLine[]) =>
    lines
      .filter(isOfItem)
      .map(({ name, taxClass, baseCents }) => `${name} ${taxClass} ${baseCents}`)
      .toSorted();
  const property = fc.property(plain, (order) => {
    const taxation = taxationOf(order);
    const units = order.quote.items.flatMap(({ quantity }, index) =>
      Array.from({ length: quantity }, (_, before) =>
        unitTaxes(taxation, { index, quantity: 1, taxes: [] }, { before }),
      ),
    );
    assert.deepEqual(basesOf(addTaxes([], units.flat())), basesOf(orderTaxes(taxation)));
  });
  fc.assert(property, { numRuns: runs(500) });
});

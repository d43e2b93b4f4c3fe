import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  followEvent,
  type LedgerEntry,
  type LedgerStore,
  openLedger,
} from '../../src/ordering/statements/ledger-entry.ts';
import { givenMessageContext } from '../given/message-context.ts';
import { carts, orderOf } from '../oracles/carts.ts';
import { type OracleCart, oraclePrice } from '../oracles/price-oracle.ts';
import type { OracleTerms } from '../oracles/statement-oracle.ts';
import { assertEnd, LIFE_COMMANDS } from './life-commands.ts';
import { modelStep, type Pays, placedModel } from './life-model.ts';
import { type LifeEvent, type LifeFact, placedLife, takeStep } from './pure-life.ts';

/** Random lives of orders with their terms, and the entries that the ledger has of them. */

/** What stores agreed with the operator. */
export const storeTerms: fc.Arbitrary<LedgerStore> = fc.record({
  terms: fc.record({
    commissionPercent: fc.nat(1000).map((tenths) => tenths / 10),
    perOrderCents: fc.nat({ max: 100 }),
    deliveryFee: fc.constantFrom('store', 'operator'),
    tax: fc.constantFrom('operator', 'store'),
  }),
  hasCourier: fc.boolean(),
});

const terms: fc.Arbitrary<OracleTerms> = fc.record({
  commission: fc.constantFrom('0', '15', '12.5', '8.875', '100', '0.1'),
  perOrder: fc.nat({ max: 300 }).map(BigInt),
  delivery: fc.constantFrom('store', 'operator'),
  tax: fc.constantFrom('operator', 'store'),
});

export type Life = {
  cart: OracleCart;
  terms: OracleTerms;
  pays: Pays;
  hasCourier: boolean;
  events: readonly LifeEvent[];
  facts: readonly LifeFact[];
};

const MOVING = [
  ...['order.placed', 'order.item_changed', 'order.completed', 'order.canceled', 'order.refunded', 'order.tipped'],
];
const movesMoney = ({ event }: LifeEvent) => MOVING.includes(event.type);

/** The entries of a life, one for each event. */
export function entriesOf({ terms: agreed, hasCourier, events }: Omit<Life, 'facts'>): (LedgerEntry | undefined)[] {
  const { commission, perOrder, delivery: deliveryFee, tax } = agreed;
  const own = { commissionPercent: Number(commission), perOrderCents: Number(perOrder), deliveryFee, tax };
  return ledgerOf(events, { terms: own, hasCourier });
}

/** The entries of a store's order, one for each event. */
export function ledgerOf(events: readonly LifeEvent[], store: LedgerStore): (LedgerEntry | undefined)[] {
  const [placed = assert.fail()] = events;
  let state = openLedger(placed.order, store);
  return events.map(({ event, order }) => {
    const followed = followEvent(state, { ...event, order });
    // As it is read from the database.
    state = JSON.parse(JSON.stringify(followed.state));
    return followed.entry;
  });
}

const BEGINNINGS = [[], ['confirm'], ['confirm', 'assign_driver', 'pick_up', 'complete']] as const;
/** How a random order is paid. A free one has nothing to collect. */
export const PAYS = fc.constantFrom<Pays>('card', 'card', 'card', 'elsewhere', 'cash', 'cash');
export const paidBy = (cart: OracleCart, pays: Pays): Pays =>
  pays === 'cash' && oraclePrice(cart).totalWithTip === 0n ? 'card' : pays;

const filled = carts.filter(({ lines }) => lines.length > 0);

export const lives: fc.Arbitrary<Life> = fc
  .tuple(
    filled,
    PAYS,
    fc.constantFrom(...BEGINNINGS),
    fc.tuple(terms, fc.boolean()),
    fc.commands(LIFE_COMMANDS, { maxCommands: 24, size: 'max' }),
  )
  .map(([cart, paysBy, steps, [agreed, hasCourier], commands]) => {
    const pays = paidBy(cart, paysBy);
    const { order } = givenMessageContext(orderOf(cart));
    const life = { model: placedModel(cart, pays), real: placedLife(order, pays) };
    for (const step of steps) assert.equal(takeStep(life.real, step), modelStep(life.model, step));
    fc.modelRun(() => life, commands);
    assertEnd(life.model, life.real);
    const { log, facts } = life.real;
    return { cart, terms: agreed, pays, hasCourier, events: log.filter(movesMoney), facts };
  });

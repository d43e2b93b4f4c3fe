import type { Logger } from 'pino';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { shorten } from '../../platform/lib/plain-text.ts';
import { readPages } from '../../platform/lib/read-pages.ts';
import type { EventHandler } from '../order/dispatch-events.flow.ts';
import { type EventKey, findEvents, type LoggedEvent } from '../order/order-events.db.ts';
import { type OrderEventType, readEvent } from '../order/order-events.ts';
import {
  findClosedThrough,
  findIncompleteOrder,
  findTimeZones,
  findUnwrittenEvents,
  findUnwrittenOrders,
  holdMonths,
  insertClosedMonth,
  insertEntries,
  type LedgerOrder,
  lockLedgers,
  lockMonths,
  type OwnDelivery,
  type SavedLedger,
  saveLedgers,
  type WrittenEntry,
} from './ledger.db.ts';
import {
  AMOUNTS,
  followEvent,
  LEDGER_EVENTS,
  type LedgerEntry,
  type LedgerState,
  type LedgerStore,
  openLedger,
} from './ledger-entry.ts';
import { localDay, monthAfter, monthOf, statementMonth } from './month.ts';
import { listStoreTerms } from './store-terms.db.ts';
import { insertTaxRecords } from './tax-records.db.ts';
import { TAXABLE_PARTS } from './tax-reversals.ts';
import { DEFAULT_TERMS, type StatementTerms } from './terms.ts';

/** Stores, of these, whose live orders a courier company delivers. */
export type FindCourierStores = (sql: Sql, storeIds: readonly string[]) => Promise<ReadonlySet<string>>;

export type LedgerDeps = {
  findCourierStores: FindCourierStores;
  /** Notified of each damaged order when it is found. */
  log?: Logger;
};

const IS_LEDGER_EVENT: ReadonlySet<OrderEventType> = new Set(LEDGER_EVENTS);

/** Writes the entries of events that move money. */
export function ledgerEvents(deps: LedgerDeps): EventHandler {
  return async (tx, events) => {
    const moved = events.filter(({ type }) => IS_LEDGER_EVENT.has(type)).map(({ orderId }) => orderId);
    if (moved.length === 0) return;
    await holdMonths(tx);
    await writeLedgers(deps, tx, [...new Set(moved)]);
  };
}

/**
 * Writes every missing entry of these orders from their logs, in order, for any triggering event: workers dispatch an
 * order's events at the same time, and an entry depends on the entries before it.
 */
async function writeLedgers(deps: LedgerDeps, tx: Sql, orderIds: readonly string[]): Promise<void> {
  const ledgers = await lockLedgers(tx, orderIds);
  const unwritten = await findUnwrittenEvents(tx, orderIds);
  if (unwritten.length === 0) return;
  const events = Map.groupBy(await findEvents(tx, unwritten), ({ order }) => order.orderId);
  const storeAt = await storesOfNew(deps, tx, ledgers);
  const openMonth = monthAfter(await findClosedThrough(tx));
  const written = ledgers.flatMap((ledger): Written[] => {
    const log = (events.get(ledger.orderId) ?? []).toSorted(bySequence);
    const [first] = log;
    if (!first) return [];
    try {
      return [followLog(ledger, log, { storeAt, openMonth })];
    } catch (error) {
      deps.log?.error({ err: error, orderId: ledger.orderId }, 'the ledger of an order could not be written');
      return [{ entries: [], toRecord: [], saved: damagedLedger(ledger, first.at, error) }];
    }
  });
  await insertEntries(
    tx,
    written.flatMap(({ entries }) => entries),
  );
  await insertTaxRecords(
    tx,
    written.flatMap(({ toRecord }) => toRecord),
  );
  await saveLedgers(
    tx,
    written.map(({ saved }) => saved),
  );
}

/** A damaged order holds up no other: it is tried again until it reads, and its month is not closed before. */
function damagedLedger({ orderId, lastSequence, state }: LedgerOrder, since: Temporal.Instant, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    orderId,
    lastSequence,
    state,
    unwrittenSince: since,
    writeError: shorten(`${orderId}: ${reason}`, MAX_ERROR),
  };
}

const MAX_ERROR = 300;

const bySequence = (a: LoggedEvent, b: LoggedEvent) => a.sequence - b.sequence;

type StoreAt = (ledger: LedgerOrder, placedAt: Temporal.Instant) => LedgerStore;

async function storesOfNew(deps: LedgerDeps, tx: Sql, ledgers: readonly LedgerOrder[]): Promise<StoreAt> {
  const fresh = ledgers.filter(({ state }) => state === null);
  const storeIds = [...new Set(fresh.map(({ storeId }) => storeId))];
  if (storeIds.length === 0) return () => ({ terms: DEFAULT_TERMS, hasCourier: false });
  const agreed = Map.groupBy(await listStoreTerms(tx, storeIds), ({ storeId }) => storeId);
  const couriers = await deps.findCourierStores(tx, storeIds);
  return ({ storeId, mode }, placedAt) => ({
    terms: termsOnly(
      agreed.get(storeId)?.find(({ since }) => Temporal.Instant.compare(since, placedAt) <= 0) ?? DEFAULT_TERMS,
    ),
    hasCourier: mode === 'live' && couriers.has(storeId),
  });
}

type Around = { storeAt: StoreAt; openMonth: string };
type Written = { entries: WrittenEntry[]; toRecord: EventKey[]; saved: SavedLedger };

/** Stops at an event that this version cannot read; a newer node follows it. */
function followLog(ledger: LedgerOrder, events: readonly LoggedEvent[], { storeAt, openMonth }: Around): Written {
  const { orderId, storeId, accountId, mode } = ledger;
  const entries: WrittenEntry[] = [];
  const toRecord: EventKey[] = [];
  let { state, lastSequence } = ledger;
  let delivery: Partial<OwnDelivery> = {};
  for (const { sequence, at, type, data, order } of events) {
    const event = readEvent(type, data);
    if (!event) break;
    lastSequence = sequence;
    // An order that was never placed was never sold: its refund takes nothing from anyone.
    if (!state && type !== 'order.placed') continue;
    state ??= openLedger(order, storeAt(ledger, at));
    const followed = followEvent(state, { ...event, order });
    const date = localDay(at, state.timeZone);
    if (type === 'order.completed') delivery = ownDelivery(followed.state, order, date);
    state = followed.state;
    if (!followed.entry) continue;
    entries.push({
      ...wholeCents(followed.entry),
      orderId,
      sequence,
      storeId,
      accountId,
      mode,
      date,
      at,
      ...statementMonth(date, openMonth),
    });
    const { entry } = followed;
    if (order.quote.taxCalculation && TAXABLE_PARTS.some((name) => entry[name] !== 0))
      toRecord.push({ orderId, sequence });
  }
  return { entries, toRecord, saved: { orderId, lastSequence, state, ...delivery } };
}

/** Throws if a field of the order is missing: one missing amount would fail the entries of every other order. */
function wholeCents(entry: LedgerEntry): LedgerEntry {
  const broken = AMOUNTS.find((name) => !Number.isSafeInteger(entry[name]));
  if (broken !== undefined) throw new Error(`The order lacks an amount for ${broken}.`);
  return entry;
}

const termsOnly = ({ commissionPercent, perOrderCents, deliveryFee, tax }: StatementTerms): StatementTerms => ({
  commissionPercent,
  perOrderCents,
  deliveryFee,
  tax,
});

/** The delivery of one of the store's own drivers; nothing for a pickup and for outside couriers. */
function ownDelivery({ isOwnDelivery }: LedgerState, { driver }: LoggedEvent['order'], deliveredOn: string) {
  if (!isOwnDelivery || driver.name === undefined) return {};
  return { driverName: driver.name, driverPhone: driver.phone ?? null, deliveredOn };
}

const BATCH = 200;

/**
 * Closes a month, and every month before it, for all stores. First writes the entries of events that wait to be
 * dispatched, so that they are no corrections. Closing again changes nothing. Refuses with `month_not_ended` until the
 * month has ended in every store's time zone, and with `statement_incomplete` if entries are missing. `inTransaction`
 * runs the closing itself.
 */
export async function closeMonth(
  { db, ...deps }: LedgerDeps & { db: Db },
  month: string,
  now: Temporal.Instant,
  inTransaction: (work: (tx: Sql) => Promise<void>) => Promise<void> = (work) => db.transaction().execute(work),
): Promise<void> {
  const running = ['UTC', ...(await findTimeZones(db))].find((zone) => monthOf(localDay(now, zone)) <= month);
  if (running !== undefined) throw new Refusal('month_not_ended', `${month} has not ended in ${running}.`);
  // Most is written before the lock, because every dispatching worker waits for it.
  await writeUnwritten(deps, db, now);
  await inTransaction(async (tx) => {
    await lockMonths(tx);
    if ((await findClosedThrough(tx)) >= month) return;
    await writeWaiting(deps, tx, now, (work) => work(tx));
    const incomplete = await findIncompleteOrder(tx, month);
    if (incomplete !== undefined)
      throw new Refusal('statement_incomplete', `Order ${incomplete} contains events that couldn't be booked.`);
    await insertClosedMonth(tx, month, now);
  });
}

/** Writes the entries of waiting events, and of damaged orders that read again, a batch of orders a transaction. */
export const writeUnwritten = (deps: LedgerDeps, db: Db, before: Temporal.Instant): Promise<void> =>
  writeWaiting(deps, db, before, (work) => db.transaction().execute((tx) => holdMonths(tx).then(() => work(tx))));

/** Writes the entries of all waiting events, a batch of orders at a time. */
async function writeWaiting(
  deps: LedgerDeps,
  sql: Sql,
  before: Temporal.Instant,
  inBatch: (work: (tx: Sql) => Promise<void>) => Promise<void>,
): Promise<void> {
  const pages = readPages<string>(BATCH, (after = '') => findUnwrittenOrders(sql, { before, after, limit: BATCH }));
  for await (const orderIds of pages) await inBatch((tx) => writeLedgers(deps, tx, orderIds));
}

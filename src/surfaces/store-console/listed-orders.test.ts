import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { runs } from '../../../test/runs.ts';
import { givenDatabase } from '../../../test/test-database.ts';
import type { Merchant } from '../../access/sessions/merchant.ts';
import type { OrderStatus } from '../../ordering/order/order.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { listStoreOrders, type StoreOrderFilter } from './store-orders.db.ts';

const NOW = Temporal.Instant.from('2026-06-10T18:00:00Z');
/** Origin of all times, which are in minutes from here. */
const START = NOW.subtract({ hours: 96 });
const NOW_MINUTE = 96 * 60;
const MAX_ORDERS = 500;

type Listed = {
  orderId: string;
  storeId: string;
  mode: 'sandbox' | 'live';
  accountId: string;
  status: OrderStatus;
  placed: number | null;
  offer: number | null;
};

const at = (minutes: number) => START.add({ milliseconds: Math.round(minutes * 60_000) });
const momentOf = (minutes: number | null) => (minutes === null ? null : at(minutes).toString());

const statuses: OrderStatus[] = ['awaiting_confirmation', 'in_progress', 'completed', 'canceled'];
/** A small range of times, so that many orders share one; some offers are in the future. */
const anyPlaced = fc.record({
  storeId: fc.constantFrom('s1', 's1', 's1', 's2'),
  mode: fc.constantFrom('live' as const, 'sandbox' as const),
  accountId: fc.constantFrom('a', 'b'),
  status: fc.constantFrom(...statuses),
  placed: fc.integer({ min: 0, max: NOW_MINUTE / 10 }).map((tens) => tens * 10),
  offered: fc.constantFrom<number | null>(null, 0, 0, 0, 30, 2000),
});
const anyOrder = fc.oneof(
  { weight: 20, arbitrary: anyPlaced.map(({ offered, ...each }) => offeredAfter(each, offered)) },
  {
    weight: 1,
    arbitrary: anyPlaced.map(({ offered: _, ...each }) => ({
      ...each,
      status: 'unplaced' as const,
      placed: null,
      offer: null,
    })),
  },
);

function offeredAfter<Each extends { placed: number }>(each: Each, minutes: number | null) {
  return { ...each, offer: minutes === null ? null : each.placed + minutes };
}

const given = await givenDatabase();
after(() => given.close());

async function insertOrders(tx: Sql, orders: readonly Listed[]): Promise<void> {
  const rows = orders.map(({ placed, offer, ...order }) => ({
    ...order,
    placedAt: momentOf(placed),
    offerAt: momentOf(offer),
  }));
  await sql`
    insert into orders (order_id, account_id, mode, user_id, store_id, status, pickup, request, quote, total_with_tip,
      charge_user, charge_state, created_at, placed_at, offer_at)
    select o."orderId", o."accountId", o.mode, 'u', o."storeId", o.status, false, '{}', '{}', 0,
      false, 'none', coalesce(o."placedAt", ${START.toString()}), o."placedAt", o."offerAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o ("orderId" text, "accountId" text, mode text,
      "storeId" text, status text, "placedAt" timestamptz, "offerAt" timestamptz)`.execute(tx);
  await sql`analyze orders`.execute(tx);
}

/** Runs with orders that are deleted afterwards. */
async function withOrders(orders: readonly Omit<Listed, 'orderId'>[], run: (tx: Sql, all: Listed[]) => Promise<void>) {
  const tx = await given.db.startTransaction().execute();
  try {
    const all = orders.map((order, n) => ({ ...order, orderId: `ord_${n}` }));
    await insertOrders(tx, all);
    await run(tx, all);
  } finally {
    await tx.rollback().execute();
  }
}

const MERCHANT: Merchant = { storeId: 's1', mode: 'live', accountId: null, source: 'key', id: 'k', orderId: null };
const ofSandbox: Merchant = { ...MERCHANT, mode: 'sandbox', accountId: 'a' };
type Wanted = { statuses: OrderStatus[] | undefined; since: number | undefined };
const filterOf = ({ statuses, since }: Wanted): StoreOrderFilter => ({
  statuses,
  now: NOW,
  placedSince: at(NOW_MINUTE - 24 * 60),
  offeredSince: since === undefined ? undefined : at(since),
});

const isUnderWay = ({ status }: Pick<Listed, 'status'>) => ['awaiting_confirmation', 'in_progress'].includes(status);
const newestFirst = (a: Listed, b: Listed) => (b.placed ?? 0) - (a.placed ?? 0) || (a.orderId < b.orderId ? -1 : 1);

/** The expected list, by filtering all orders one by one. */
function naiveList(orders: readonly Listed[], merchant: Merchant, { statuses: named, since }: Wanted): string[] {
  const isWanted = ({ status, offer, placed, ...order }: Listed) =>
    placed !== null &&
    (offer ?? 0) <= NOW_MINUTE &&
    order.storeId === merchant.storeId &&
    order.mode === merchant.mode &&
    (merchant.accountId ?? order.accountId) === order.accountId &&
    (merchant.orderId ?? order.orderId) === order.orderId &&
    (named ?? [status]).includes(status) &&
    (since === undefined ? placed >= NOW_MINUTE - 24 * 60 || isUnderWay({ status }) : (offer ?? placed) >= since);
  return orders
    .filter(isWanted)
    .sort((a, b) => Number(isUnderWay(b)) - Number(isUnderWay(a)) || newestFirst(a, b))
    .slice(0, MAX_ORDERS)
    .sort(newestFirst)
    .map(({ orderId }) => orderId)
    .reverse();
}

test('a list returns the orders a scan of each finds, and of more than 500 those under way, then the newest', async () => {
  const wanted = fc.record({
    statuses: fc.option(fc.subarray(statuses, { minLength: 1 }), { nil: undefined }),
    since: fc.option(fc.integer({ min: -1, max: NOW_MINUTE + 1 }), { nil: undefined }),
  });
  const merchants = fc.oneof(
    fc.constantFrom(MERCHANT, ofSandbox),
    fc.nat(3999).map((n) => ({ ...MERCHANT, orderId: `ord_${n}` })),
  );
  await withOrders(fc.sample(anyOrder, { numRuns: 4000, seed: 1 }), async (tx, all) => {
    const counts = new Set<number>();
    await fc.assert(
      fc.asyncProperty(merchants, wanted, async (merchant, each) => {
        const listed = await listStoreOrders(tx, merchant, filterOf(each));
        counts.add(listed.length);
        assert.deepEqual(
          listed.map(({ orderId }) => orderId),
          naiveList(all, merchant, each),
        );
      }),
      { numRuns: runs(150), examples: [[MERCHANT, { statuses: undefined, since: 0 }]] },
    );
    assert.ok(counts.has(MAX_ORDERS), 'no list was longer than the limit');
  });
});

test('no order under way is lost from a list, however many newer ones have ended', async () => {
  const ended = (n: number) => ({ ...MINE, status: 'completed' as const, placed: NOW_MINUTE - n / 10, offer: null });
  const underWay = { ...MINE, status: 'in_progress' as const, placed: NOW_MINUTE - 600, offer: null };
  await withOrders([underWay, ...Array.from({ length: 600 }, (_, n) => ended(n))], async (tx) => {
    for (const since of [undefined, NOW_MINUTE - 700]) {
      const listed = await listStoreOrders(tx, MERCHANT, filterOf({ statuses: undefined, since }));
      assert.deepEqual([listed.length, listed[0]?.orderId], [MAX_ORDERS, 'ord_0']);
    }
  });
});

test('a list of few orders reads few rows of a store with a long history, whatever plan is taken', async () => {
  const ended = (n: number) => ({ ...MINE, status: 'completed' as const, placed: n / 10, offer: n / 10 });
  const history = Array.from({ length: 20_000 }, (_, n) => ended(n));
  const underWay = { ...MINE, status: 'in_progress' as const, placed: 1, offer: 1 };
  const offeredLater = { ...MINE, status: 'completed' as const, placed: 2, offer: NOW_MINUTE - 3 };
  await withOrders([underWay, offeredLater, ...history], async (tx) => {
    for (const plan of ['force_custom_plan', 'force_generic_plan']) {
      await sql`set local plan_cache_mode = ${sql.raw(plan)}`.execute(tx);
      const read = async (each: Wanted) => {
        const before = await rowsRead(tx);
        const listed = await listStoreOrders(tx, MERCHANT, filterOf(each));
        const rows = (await rowsRead(tx)) - before;
        assert.ok(
          rows <= 2 * listed.length + 10,
          `${plan}, ${JSON.stringify(each)}: ${rows} rows for ${listed.length} orders`,
        );
        return listed.map(({ orderId }) => orderId);
      };
      assert.deepEqual(await read({ statuses: undefined, since: undefined }), ['ord_0']);
      assert.deepEqual(await read({ statuses: ['in_progress'], since: undefined }), ['ord_0']);
      assert.deepEqual(await read({ statuses: ['in_progress'], since: 0 }), ['ord_0']);
      assert.deepEqual(await read({ statuses: undefined, since: NOW_MINUTE - 5 }), ['ord_1']);
      assert.equal((await read({ statuses: undefined, since: 0 })).length, MAX_ORDERS);
    }
  });
});

const MINE = { storeId: 's1', mode: 'live', accountId: 'a' } as const;

/** Order rows read by this transaction so far, through index scans, bitmap scans and sequential scans. */
async function rowsRead(tx: Sql): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select sum(pg_stat_get_xact_tuples_fetched(of) + pg_stat_get_xact_tuples_returned(of) * (of = 'orders'::regclass)::int) as n
    from (select indexrelid from pg_index where indrelid = 'orders'::regclass union all select 'orders'::regclass) as o (of)`.execute(
    tx,
  );
  return rows[0]?.n ?? 0;
}

import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import { instantOfEpochSeconds, LAST_EPOCH_S } from '../lib/time.ts';
import { StoreOrderSchema } from '../offers/present-store-order.ts';
import { recordFetched } from '../offers/record-taken.flow.ts';
import type { OrderStatus } from '../orders/order.ts';
import { statusesIn, statusParameter } from '../orders/status-parameter.ts';
import type { Merchant } from './merchant.ts';
import { type LinkDeps, presentForStore } from './present-for-store.ts';
import { listStoreOrders } from './store-orders.db.ts';

const DEFAULT_HOURS = 24;
const STATUSES: readonly OrderStatus[] = ['awaiting_confirmation', 'in_progress', 'completed', 'canceled'];

const schema = {
  operationId: 'listStoreOrders',
  tags: ['Store'],
  summary: "The store's orders",
  description:
    'The orders of the last 24 hours and every order that has not ended, oldest first, at most the newest 500; with `since` the orders that the store was offered from then on, and no others. With a live store key or console session: live orders of every account; with a sandbox store key or session: the sandbox orders of its account.',
  querystring: Type.Object({
    status: statusParameter(STATUSES),
    since: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: LAST_EPOCH_S,
        description: 'Only orders that the store was offered from this moment on, in epoch seconds.',
      }),
    ),
  }),
  response: { 200: Type.Object({ orders: Type.Array(StoreOrderSchema) }, { description: 'Oldest first.' }) },
};

type Needs = LinkDeps & { db: Db; clock: Clock; jobs: Jobs };

/** GET /store/orders. What a console lists, the console has. */
export function listStoreOrdersRoute(http: Http, deps: Needs): void {
  http.get('/store/orders', { schema, config: { audience: 'store' } as const }, async ({ merchant, query }) => {
    const now = deps.clock.now();
    const orders = await listStoreOrders(deps.db, merchant, {
      statuses: query.status === undefined ? undefined : statusesIn(query.status),
      offeredSince: query.since === undefined ? undefined : instantOfEpochSeconds(query.since),
      placedSince: now.subtract({ hours: DEFAULT_HOURS }),
      now,
    });
    await recordFetchedBy(deps, merchant, orders);
    return { orders: orders.map((order) => presentForStore(deps, order)) };
  });
}

/** Notes that a console has the orders that it was sent and that wait for their confirmation. */
export async function recordFetchedBy(
  deps: Pick<Needs, 'db' | 'clock' | 'jobs'>,
  { source, mode, storeId }: Merchant,
  orders: readonly { orderId: string; status: string; receivedAt: Temporal.Instant | null }[],
): Promise<void> {
  if (source !== 'session' || mode !== 'live') return;
  const waiting = orders.filter(({ status }) => status === 'awaiting_confirmation').map(({ orderId }) => orderId);
  await recordFetched(deps, storeId, waiting, 'console');
}

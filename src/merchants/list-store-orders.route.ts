import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import { instantOfEpochSeconds, LAST_EPOCH_S } from '../lib/time.ts';
import { recordFetched } from '../offers/record-taken.flow.ts';
import { StoreOrderSchema } from '../offers/store-order-schema.ts';
import type { Merchant } from './merchant.ts';
import { type LinkDeps, presentForStore } from './present-for-store.ts';
import { listStoreOrders } from './store-orders.db.ts';

const DEFAULT_HOURS = 24;
const STATUSES = ['awaiting_confirmation', 'in_progress', 'completed', 'canceled'] as const;

const schema = {
  operationId: 'listStoreOrders',
  tags: ['Store'],
  summary: "The store's orders",
  description:
    'The orders of the last 24 hours (or placed since `since`) and every order that has not ended, oldest first, at most the newest 500. With a live store key or a console session: live orders of every account; with a sandbox store key: the sandbox orders of its account.',
  querystring: Type.Object({
    status: Type.Optional(Type.Enum([...STATUSES], { description: 'Only orders of this status.' })),
    since: Type.Optional(
      Type.Integer({ minimum: 0, maximum: LAST_EPOCH_S, description: 'Orders placed since, in epoch seconds.' }),
    ),
  }),
  response: { 200: Type.Object({ orders: Type.Array(StoreOrderSchema) }, { description: 'Oldest first.' }) },
};

type Needs = LinkDeps & { db: Db; clock: Clock; jobs: Jobs };

/** GET /store/orders. What a console lists, the console has. */
export function listStoreOrdersRoute(http: Http, deps: Needs): void {
  http.get('/store/orders', { schema, config: { audience: 'store' } as const }, async ({ merchant, query }) => {
    const now = deps.clock.now();
    const since =
      query.since === undefined ? now.subtract({ hours: DEFAULT_HOURS }) : instantOfEpochSeconds(query.since);
    const statuses = query.status === undefined ? undefined : [query.status];
    const orders = await listStoreOrders(deps.db, merchant, { statuses, since, now });
    await recordFetchedBy(deps, merchant, orders);
    return { orders: orders.map((order) => presentForStore(deps, order)) };
  });
}

/** Notes that a console has the orders that it was sent and that wait for their confirmation. */
export async function recordFetchedBy(
  deps: Pick<Needs, 'db' | 'clock' | 'jobs'>,
  { source, storeId }: Merchant,
  orders: readonly { orderId: string; status: string; receivedAt: Temporal.Instant | null }[],
): Promise<void> {
  if (source !== 'session') return;
  const waiting = orders.filter(({ status }) => status === 'awaiting_confirmation').map(({ orderId }) => orderId);
  await recordFetched(deps, storeId, waiting, 'console');
}

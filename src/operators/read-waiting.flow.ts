import { findAccountNames } from '../accounts/accounts.db.ts';
import type { Db } from '../db/connect.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import { epochSeconds } from '../lib/time.ts';
import { recordFetched } from '../offers/record-taken.flow.ts';
import { findChannels } from '../offers/store-channels.db.ts';
import { findOffers } from '../offers/store-notices.db.ts';
import { presentWaiting } from './present-waiting.ts';
import { listAwaiting } from './waiting-orders.db.ts';
import type { Waiting } from './waiting-schema.ts';

const MAX_WAITING = 200;

export type WaitingDeps = { db: Db; clock: Clock; jobs: Jobs };

/** The orders that wait for their stores, as an operator sees them. What is listed, the channel `operator` has. */
export async function readWaiting(deps: WaitingDeps): Promise<Waiting> {
  const { db, clock } = deps;
  const now = clock.now();
  const found = await listAwaiting(db, { now, limit: MAX_WAITING + 1 });
  const orders = found.slice(0, MAX_WAITING);
  const storeOf = new Map(orders.map(({ orderId, storeId }) => [orderId, storeId]));
  const [offers, channels, names] = await Promise.all([
    findOffers(db, [...storeOf.keys()]),
    findChannels(db, [...new Set(storeOf.values())]),
    findAccountNames(db, [...new Set(orders.map(({ accountId }) => accountId))]),
  ]);
  const fetched = offers.filter(({ channel, state }) => channel === 'operator' && state === 'waiting');
  for (const [storeId, taken] of Map.groupBy(fetched, (offer) => offer.storeId)) {
    const orderIds = taken.map(({ orderId }) => orderId);
    await recordFetched(deps, storeId, orderIds, 'operator');
  }
  return {
    now: epochSeconds(now),
    more: found.length > MAX_WAITING,
    orders: orders.map((order) =>
      presentWaiting(order, {
        offers: offers.filter(({ orderId }) => orderId === order.orderId),
        channels: channels.filter(({ storeId }) => storeId === order.storeId),
        accountName: names.get(order.accountId) ?? '',
      }),
    ),
  };
}

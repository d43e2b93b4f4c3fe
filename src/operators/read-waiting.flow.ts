import { findAccountNames } from '../accounts/accounts.db.ts';
import type { Db } from '../db/connect.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import { epochSeconds } from '../lib/time.ts';
import { recordFetched } from '../offers/record-taken.flow.ts';
import { findChannels } from '../offers/store-channels.db.ts';
import { findOffers } from '../offers/store-notices.db.ts';
import { listAwaiting } from './operator-lists.db.ts';
import { presentWaiting, type Waiting } from './waiting.ts';

const MAX_WAITING = 200;

export type WaitingDeps = { db: Db; clock: Clock; jobs: Jobs };

type Found = Awaited<ReturnType<typeof findWaiting>>;

/** The orders that wait for their stores, as an operator sees them. What is listed, the channel `operator` has. */
export async function readWaiting(deps: WaitingDeps): Promise<Waiting> {
  const found = await findWaiting(deps);
  return presentFound((await takeOffers(deps, found)) ? await findWaiting(deps) : found);
}

async function findWaiting({ db, clock }: WaitingDeps) {
  const now = clock.now();
  const found = await listAwaiting(db, { now, limit: MAX_WAITING + 1 });
  const orders = found.slice(0, MAX_WAITING);
  const [offers, channels, names] = await Promise.all([
    findOffers(
      db,
      orders.map(({ orderId }) => orderId),
    ),
    findChannels(db, [...new Set(orders.map(({ storeId }) => storeId))]),
    findAccountNames(db, [...new Set(orders.map(({ accountId }) => accountId))]),
  ]);
  return { now, orders, more: found.length > MAX_WAITING, offers, channels, names };
}

/** Records that the channel `operator` has its offers, store by store; true where one was new to it. */
async function takeOffers(deps: WaitingDeps, { offers }: Found): Promise<boolean> {
  const waiting = offers.filter(({ channel, state }) => channel === 'operator' && state === 'waiting');
  for (const [storeId, taken] of Map.groupBy(waiting, (offer) => offer.storeId)) {
    const orderIds = taken.map(({ orderId }) => orderId);
    await recordFetched(deps, storeId, orderIds, 'operator');
  }
  return waiting.length > 0;
}

function presentFound({ now, orders, more, offers, channels, names }: Found): Waiting {
  return {
    now: epochSeconds(now),
    more,
    orders: orders.map((order) =>
      presentWaiting(order, {
        offers: offers.filter(({ orderId }) => orderId === order.orderId),
        channels: channels.filter(({ storeId }) => storeId === order.storeId),
        accountName: names.get(order.accountId) ?? '',
      }),
    ),
  };
}

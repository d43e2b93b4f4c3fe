import type { NoticeStatements } from '../../src/fulfillment/store-channels/send-notices.flow.ts';
import type { StoreChannel } from '../../src/fulfillment/store-channels/store-channel.ts';
import type { StoreNotice } from '../../src/fulfillment/store-channels/store-notice.ts';
import { insertNotices, listNotices } from '../../src/fulfillment/store-channels/store-notices.db.ts';
import type { LiveShop } from './live-shop.ts';

const CHANNEL = 'email';

/** Orders with unsent offers: no worker has run yet. */
export async function givenNotices(shop: LiveShop, count: number): Promise<string[]> {
  const orderIds: string[] = [];
  for (let n = 0; n < count; n += 1) orderIds.push(await givenNotice(shop, await shop.place(), shop.storeId));
  return orderIds;
}

export async function givenNotice(
  { app }: LiveShop,
  orderId: string,
  storeId: string,
  channels: readonly StoreChannel[] = [CHANNEL],
): Promise<string> {
  const { db, clock } = app.service.deps;
  const at = clock.now().add({ hours: 1 });
  const offer = { orderId, storeId, kind: 'offered', copy: 0, at } as const;
  await insertNotices(
    db,
    channels.map((channel) => ({ ...offer, channel })),
  );
  return orderId;
}

export async function offersOf({ app }: LiveShop, orderIds: readonly string[]): Promise<StoreNotice[]> {
  const { db } = app.service.deps;
  const notices = (await Promise.all(orderIds.map((orderId) => listNotices(db, orderId)))).flat();
  return notices.filter(({ kind, nextAttemptAt }) => kind === 'offered' && nextAttemptAt !== null);
}

export async function recordAll(shop: LiveShop, shared: NoticeStatements, orderIds: readonly string[]): Promise<void> {
  const offers = await offersOf(shop, orderIds);
  await Promise.all(offers.map((offer) => shared.recordTaken(offer)));
}

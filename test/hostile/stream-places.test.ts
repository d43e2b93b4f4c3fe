import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issueStoreKey } from '../../src/access/sessions/store-keys.db.ts';
import { type EventStream, openEventStream } from '../event-stream.ts';
import { until } from '../until.ts';
import { givenShop, type Shop } from './given-shop.ts';

const MAX_OF_A_KEY = 20;
const MAX_OF_A_LINK = 50;

let shop: Shop;
let url: string;
before(async () => {
  shop = await givenShop();
  url = `http://127.0.0.1:${await shop.listen()}`;
});
after(() => shop.close());

async function openMany(count: number, path: string, headers: Record<string, string> = {}): Promise<EventStream[]> {
  const streams = await Promise.all(Array.from({ length: count }, () => openEventStream(`${url}${path}`, headers)));
  for (const stream of streams) assert.equal(stream.status, 200);
  return streams;
}

async function refusedAt(path: string, headers: Record<string, string> = {}): Promise<void> {
  const refused = await fetch(`${url}${path}`, { headers });
  const { code } = (await refused.json()) as { code: string };
  assert.deepEqual([refused.status, code, refused.headers.get('retry-after')], [429, 'rate_limited', '30']);
}

/** Opens as many streams as allowed: the next is refused at once, and a released slot can be reused. */
async function holdToBound(max: number, path: string, headers: Record<string, string> = {}): Promise<EventStream[]> {
  const streams = await openMany(max, path, headers);
  await refusedAt(path, headers);
  streams.pop()?.close();
  await until('a place is free', async () => {
    const stream = await openEventStream(`${url}${path}`, headers);
    if (stream.status === 200) streams.push(stream);
    return stream.status === 200;
  });
  return streams;
}

test('each store key, console session and order link has its own limit of streams', async () => {
  const { db } = shop.service.deps;
  const [first, second] = await Promise.all(
    [1, 2].map(() => issueStoreKey(db, { storeId: shop.ids.store_id, accountId: shop.accountId }, shop.now())),
  );
  const open = [
    await holdToBound(MAX_OF_A_KEY, '/store/orders/stream', { 'id-token': String(first?.key) }),
    await openMany(1, '/store/orders/stream', { 'id-token': String(second?.key) }),
    await holdToBound(MAX_OF_A_KEY, '/operator/orders/waiting/stream', { cookie: shop.operatorCookie }),
    await holdToBound(MAX_OF_A_LINK, `/tracking/events?tracking_id=${shop.ids.order_id}`),
  ];
  for (const stream of open.flat()) stream.close();
});

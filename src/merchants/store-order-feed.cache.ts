import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { listen } from '../db/listen.ts';
import type { Clock } from '../lib/clock.ts';
import { ORDER_NEWS, type OrderNews, readOrderNews } from '../offers/offers.db.ts';
import type { Order } from '../orders/order.ts';
import { type Merchant, seesOrder } from './merchant.ts';
import { findOrdersByIds } from './store-orders.db.ts';

const HEARTBEAT_MS = 15_000;
const MAX_WATCHERS = 10_000;
const MAX_WATCHERS_OF_A_STORE = 50;
/** Orders that are loaded and sent at once. */
const BATCH = 100;
/** Changes are gathered for this long, so that one statement reads them all. */
const GATHER_MS = 20;

/** One open console. Its functions write immediately or drop the console; they never throw. */
export type StoreWatcher = {
  /** Sends orders that have changed, as they are now. */
  send(orders: readonly Order[]): void;
  /** A change may have been missed: the console must read its orders again. */
  resync(): void;
  beat(): void;
  end(): void;
};

export type StoreOrderFeed = {
  hasRoom(storeId: string): boolean;
  /** Sends every later change of the orders that the merchant sees, until the returned function is called. */
  watch(merchant: Merchant, watcher: StoreWatcher): () => void;
  watcherCount(): number;
  close(): Promise<void>;
};

type Watching = { merchant: Merchant; watcher: StoreWatcher };
type Needs = { db: Db; clock: Clock; log: Logger; connectionString: string };

/** Feeds the open consoles of this node, and listens from the first console on: one look-up for all orders that changed at about the same time. */
export function createStoreOrderFeed({ db, clock, log, connectionString }: Needs): StoreOrderFeed {
  const watchers = new Map<string, Set<Watching>>();
  const changed = new Map<string, string>();
  let count = 0;
  let isClosed = false;
  let gathering: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const beating = setInterval(() => each((watcher) => watcher.beat()), HEARTBEAT_MS).unref();
  let listener: { close(): Promise<void> } | undefined;

  function startListening() {
    return listen({
      connectionString,
      channel: ORDER_NEWS,
      applicationName: 'doorstep-store-orders',
      onNotice: (payload) =>
        payload === undefined ? each((watcher) => watcher.resync()) : take(readOrderNews(payload)),
    });
  }

  function each(act: (watcher: StoreWatcher) => void): void {
    for (const set of [...watchers.values()]) for (const { watcher } of [...set]) act(watcher);
  }

  function take(news: readonly OrderNews[]): void {
    for (const { storeId, orderId } of news) if (watchers.has(storeId)) changed.set(orderId, storeId);
    if (changed.size === 0 || isClosed) return;
    gathering ??= setTimeout(() => {
      gathering = undefined;
      running = running.then(sendChanged).catch((error) => {
        log.warn({ err: error }, 'changed orders could not be read');
        each((watcher) => watcher.resync());
      });
    }, GATHER_MS);
  }

  async function sendChanged(): Promise<void> {
    while (changed.size > 0) {
      const ids = [...changed.keys()].slice(0, BATCH);
      for (const id of ids) changed.delete(id);
      const byStore = Map.groupBy(await findOrdersByIds(db, ids), ({ storeId }) => storeId);
      for (const [storeId, orders] of byStore) {
        for (const { merchant, watcher } of [...(watchers.get(storeId) ?? [])]) {
          const seen = orders.filter((order) => seesOrder(merchant, order, clock.now()));
          if (seen.length > 0) watcher.send(seen);
        }
      }
    }
  }

  return {
    hasRoom: (storeId) =>
      !isClosed && count < MAX_WATCHERS && (watchers.get(storeId)?.size ?? 0) < MAX_WATCHERS_OF_A_STORE,
    watcherCount: () => count,
    watch(merchant, watcher) {
      listener ??= startListening();
      const set = watchers.get(merchant.storeId) ?? new Set();
      watchers.set(merchant.storeId, set);
      const watching = { merchant, watcher };
      set.add(watching);
      count += 1;
      return () => {
        if (!set.delete(watching)) return;
        count -= 1;
        if (set.size === 0 && watchers.get(merchant.storeId) === set) watchers.delete(merchant.storeId);
      };
    },
    async close() {
      isClosed = true;
      clearInterval(beating);
      clearTimeout(gathering);
      await listener?.close();
      await running;
      each((watcher) => watcher.end());
    },
  };
}

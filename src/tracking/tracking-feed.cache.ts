import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { repeat } from '../jobs/repeat.ts';
import type { Clock } from '../lib/clock.ts';
import { type LiveOrder, liveMessage, liveOrder } from './live-order.ts';
import { findTrackedOrders, listVersions } from './tracked-orders.db.ts';

/** Interval of the statement that reads the versions of all watched orders: a page shows a change well within a second. */
const POLL_MS = 250;
/** Proxies close a connection that is silent for 30 to 60 seconds. */
const HEARTBEAT_MS = 15_000;
/** Each open page is a socket and a few kilobytes; beyond this, pages look again by themselves. */
const MAX_WATCHERS = 10_000;
/** Changed orders that are loaded and sent at once, so that many changes do not delay other work. */
const BATCH = 100;

/** One open page. Its functions write immediately or drop the page; they never throw. */
export type Watcher = { send(version: string, message: string): void; beat(): void; end(): void };

export type TrackingFeed = {
  /** Whether this process takes another page; what one link and one client may open is counted by `StreamSlots`. */
  hasRoom(): boolean;
  /** Sends every version of an order after `sinceVersion` to the watcher, until the returned function is called. */
  watch(page: WatchedPage, sinceVersion: string, watcher: Watcher): () => void;
  watcherCount(): number;
  /** Ends every page's stream and takes no more. */
  close(): Promise<void>;
};

/** The page of an order, for its customer (with the key) or for a read-only visitor. */
export type WatchedPage = { orderId: string; key: string | null };

type Channel = WatchedPage & { shown: LiveOrder | undefined; versions: Map<Watcher, string> };
type Needs = { db: Db; clock: Clock; log: Logger };

/** Feeds the open pages: one statement for all watched orders, one rendering for all pages of an order with the same key. */
export function createTrackingFeed({ db, clock, log }: Needs): TrackingFeed {
  const channels = new Map<string, Channel>();
  let count = 0;
  let isClosed = false;
  const polling = repeat('looking at tracked orders', POLL_MS, log, poll);
  const beating = setInterval(() => eachWatcher((watcher) => watcher.beat()), HEARTBEAT_MS).unref();

  async function poll(): Promise<void> {
    if (channels.size === 0) return;
    const watched = [...channels.values()];
    const versions = await listVersions(db, uniqueOrderIds(watched));
    const changed = watched.filter((channel) => hasNewsFor(channel, versions.get(channel.orderId)));
    for (let start = 0; start < changed.length; start += BATCH) {
      const batch = changed.slice(start, start + BATCH);
      const found = await findTrackedOrders(db, uniqueOrderIds(batch));
      const orders = new Map(found.map((tracked) => [tracked.order.orderId, tracked]));
      const now = clock.now();
      for (const channel of batch) {
        const tracked = orders.get(channel.orderId);
        if (tracked) tell(channel, liveOrder(tracked, channel.key, now), now);
      }
    }
  }

  function tell(channel: Channel, order: LiveOrder, now: Temporal.Instant): void {
    const before = channel.shown;
    channel.shown = order;
    const texts = new Map<boolean, string>();
    for (const [watcher, version] of [...channel.versions]) {
      if (version === order.version) continue;
      const knowsBefore = version === before?.version;
      const text = texts.get(knowsBefore) ?? JSON.stringify(liveMessage(order, knowsBefore ? before : undefined, now));
      texts.set(knowsBefore, text);
      channel.versions.set(watcher, order.version);
      watcher.send(order.version, text);
      if (order.isSettled) watcher.end();
    }
  }

  function eachWatcher(act: (watcher: Watcher) => void): void {
    for (const { versions } of [...channels.values()]) for (const watcher of [...versions.keys()]) act(watcher);
  }

  return {
    hasRoom: () => !isClosed && count < MAX_WATCHERS,
    watcherCount: () => count,
    watch(page, sinceVersion, watcher) {
      const name = `${page.orderId} ${page.key ?? ''}`;
      const channel = channels.get(name) ?? { ...page, shown: undefined, versions: new Map() };
      channels.set(name, channel);
      channel.versions.set(watcher, sinceVersion);
      count += 1;
      return () => {
        if (!channel.versions.delete(watcher)) return;
        count -= 1;
        if (channel.versions.size === 0 && channels.get(name) === channel) channels.delete(name);
      };
    },
    async close() {
      isClosed = true;
      clearInterval(beating);
      await polling.stop();
      eachWatcher((watcher) => watcher.end());
    },
  };
}

function uniqueOrderIds(channels: readonly Channel[]): string[] {
  return [...new Set(channels.map(({ orderId }) => orderId))];
}

function hasNewsFor({ versions }: Channel, version: string | undefined): boolean {
  return version !== undefined && [...versions.values()].some((known) => known !== version);
}

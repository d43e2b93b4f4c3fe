import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../src/lib/clock.ts';
import { pathOf } from '../continent/workloads.ts';
import type { Change, Changed } from './change-child.ts';

/** A change is looked for so often, and no longer than this. */
const LOOK_EVERY_MS = 50;
const GIVE_UP_MS = 30_000;
/** Other stores as near as this to a store come beside it. */
const RADIUS_MILES = 0.3;

export type Node = { url: string; key: string };

/** How late a node showed a change: after its commit, and after its import began; Infinity where it never did. */
export type Lag = { node: number; sinceCommitMs: number; sinceBeginMs: number };

const nowMs = () => systemClock.now().epochMilliseconds;

/** The number of the newest change that search shows of the store; 0 where the store was not changed or is not found. */
export async function shownVersion({ url, key }: Node, { storeId, latitude, longitude }: Change): Promise<number> {
  const path = pathOf({ latitude, longitude, maximum_miles: RADIUS_MILES });
  const reply = await fetch(url + path, { headers: { 'id-token': key } });
  if (reply.status !== 200) throw new Error(`${reply.status} for ${path}`);
  const { stores } = (await reply.json()) as { stores: { _id: string; name: string }[] };
  const name = stores.find(({ _id }) => _id === storeId)?.name ?? '';
  return Number(/ (\d+)$/.exec(name)?.[1] ?? 0);
}

/** Looks at every node until it shows the change of the store. */
export function watchChange(nodes: readonly Node[], changed: Changed, store: Change): Promise<Lag[]> {
  return Promise.all(
    nodes.map(async (node, nth) => {
      for (;;) {
        const atMs = nowMs();
        const sinceCommitMs = Math.max(0, atMs - changed.committedMs);
        const lag = { node: nth, sinceCommitMs, sinceBeginMs: atMs - changed.beganMs };
        if ((await shownVersion(node, store)) >= changed.version) return lag;
        if (sinceCommitMs > GIVE_UP_MS) return { ...lag, sinceCommitMs: Infinity, sinceBeginMs: Infinity };
        await pause(LOOK_EVERY_MS);
      }
    }),
  );
}

import type { Logger } from 'pino';
import type { Context } from '../../platform/db/context.ts';
import { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import { FixedLimiter } from '../../platform/jobs/owner-limiter.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { type KitchenLoad, publishedRoom } from '../stores/kitchen.ts';
import { setRoomFrom } from '../stores/set-store.flow.ts';
import { findStore } from '../stores/stores.db.ts';
import { endPublication, LOADS_TO_PUBLISH } from './kitchen.db.ts';

/*
 * Publishes a kitchen's first quarter with room on its store, and the change feed passes it to search. Orders
 * only mark it due: writing a store takes the change clock, and no order waits for that.
 */

type Load = { storeId: string; kitchen: KitchenLoad };
type PublishDeps = Context & { log: Logger };

const CONCURRENCY = 4;

export function roomQueue(deps: PublishDeps): LeasedQueue<Load> {
  return new LeasedQueue<Load>({
    ...deps,
    name: 'publishing room',
    table: LOADS_TO_PUBLISH,
    limiter: new FixedLimiter(new Map([['', CONCURRENCY]])),
    ownerOf: () => '',
    work: (load) => publishRoom(deps, load),
  });
}

async function publishRoom({ db, clock }: PublishDeps, load: Load): Promise<void> {
  const now = clock.now();
  const store = await findStore(db, load.storeId);
  const room = store?.kitchen && publishedRoom(store.kitchen, load.kitchen, epochSeconds(now));
  await db.transaction().execute(async (tx) => {
    await setRoomFrom(tx, load.storeId, instantOrNull(room?.roomFromS), now);
    await endPublication(tx, load, instantOrNull(room?.changesAtS));
  });
}

const instantOrNull = (epochS: number | null = null) => (epochS === null ? null : instantOfEpochSeconds(epochS));

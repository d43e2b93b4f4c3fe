import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { giveWay } from '../../src/cli/give-way.ts';
import { openDb, openPool } from '../../src/db/connect.ts';
import { importFiles } from '../../src/imports/import-files.flow.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { storeIdOf } from '../../src/stores/store-id.ts';
import { type ContinentStore, continentStores } from '../continent/continent-stores.ts';
import { lineOf, SOURCE } from '../continent/forms.ts';
import { chanceOf, pick, wholeBetween } from '../continent/seeded.ts';

/** A store as it is after a change: its name ends with the number of the change. */
export type Change = { storeId: string; latitude: number; longitude: number };
export type Changed = { version: number; stores: Change[]; beganMs: number; committedMs: number };
export type ChangeOrder = { perSecond: number; ms: number };
/** The last message of an order. */
export type ChangesDone = { batches: number; rejected: number; lateMs: number };

const SECOND_MS = 1000;
/** Stores that change; each of them changes again and again. */
const CHANGING = 20_000;
const HOURS = ['Mo-Su 09:00-21:00', 'Mo-Fr 08:00-20:00; Sa 10:00-18:00', 'Mo-Su 11:00-23:30', 'Tu-Su 17:00-22:00'];

/**
 * Changes stores of the continent by the real import, a batch each second, in a process of its own with the priority of the
 * command; sends each batch.
 */
giveWay();
const [connectionString = '', schema = '', stores = '', menus = ''] = process.argv.slice(2);
const chance = chanceOf(27);
const every = Math.max(1, Math.floor(Number(stores) / CHANGING));
const changing = [...changingStores()];
const db = openDb(openPool({ connectionString, schema }));
const nowMs = () => systemClock.now().epochMilliseconds;
process.on('message', (order: ChangeOrder) => void run(order).then((done) => process.send?.(done)));
process.once('disconnect', () => process.exit(0));
process.send?.({});

function* changingStores(): Generator<ContinentStore> {
  for (const store of continentStores(Number(stores), Number(menus))) {
    // A change of a store alone: its menu stays out of the line, and of the index.
    if (store.number % every === 0 && store.products === 0) yield store;
  }
}

async function run({ perSecond, ms }: ChangeOrder): Promise<ChangesDone> {
  const startMs = nowMs();
  let [batches, rejected, lateMs] = [0, 0, 0];
  for (; nowMs() < startMs + ms; batches += 1) {
    const beganMs = nowMs();
    lateMs = Math.max(lateMs, beganMs - startMs - batches * SECOND_MS);
    const version = batches + 1;
    const batch = new Map(
      Array.from({ length: perSecond }, () => pick(changing, chance)).map((each) => [each.number, each]),
    );
    const lines = [...batch.values()].map((store) => `${lineOf(changed(store, version))}\n`);
    const { result } = await importFiles(
      { db, clock: systemClock },
      { files: ['-'], source: SOURCE, stdin: Readable.from(lines) },
    );
    rejected += result.rejected;
    const told = [...batch.values()].map(({ externalId, latitude, longitude }) => ({
      ...{ storeId: storeIdOf(SOURCE, externalId), latitude, longitude },
    }));
    process.send?.({ version, stores: told, beganMs, committedMs: nowMs() } satisfies Changed);
    await pause(Math.max(0, startMs + (batches + 1) * SECOND_MS - nowMs()));
  }
  return { batches, rejected, lateMs };
}

/** Another name, rating and week. */
function changed(store: ContinentStore, version: number): ContinentStore {
  const rating = { value: wholeBetween(10, 50, chance) / 10, count: wholeBetween(1, 900, chance) };
  return { ...store, name: `${store.name} ${version}`, rating, hours: pick(HOURS, chance) };
}

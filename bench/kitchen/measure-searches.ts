import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { replaceLoad } from '../../src/supply/pricing/kitchen.db.ts';
import type { KitchenLoad } from '../../src/supply/stores/kitchen.ts';
import { turnsOf } from '../compare.ts';
import { quantile, startLoadClient } from '../continent/load.ts';
import type { Report } from '../report.ts';
import { type BenchService, givenBench, importGeneratedStores } from '../setup.ts';

const STORES = 200_000;
const QUICK_STORES = 20_000;
/** Few kitchens, so that orders fill their windows and change search results. */
const KITCHENS = 100;
const ROOM = 4;
const QUARTER_MS = 900_000;
const QUARTERS = 4;
const ORDERS_PER_MINUTE = 2000;
const MIN_RATIO = 0.95;
const CONNECTIONS = 4;
const PLACES = 97;

/** Searches of one node while orders take room in kitchens, by turns with searches while none do. */
export async function measureSearches(isQuick: boolean, report: Report): Promise<void> {
  const service = await givenBench(async (db) => {
    await importGeneratedStores(db, isQuick ? QUICK_STORES : STORES);
    const kitchen = JSON.stringify({ orders: ROOM, items: null, maxWaitMinutes: 90 });
    const some = sql`select store_id from stores order by store_id limit ${KITCHENS}`;
    await sql`update stores set own_kitchen = ${kitchen}::jsonb where store_id in (${some})`.execute(db);
  });
  const client = await startLoadClient();
  const { turns, turnMs } = turnsOf(isQuick);
  const paths = Array.from({ length: PLACES }, (_, n) => pathOf(n));
  const search = async () => {
    const load = { url: service.url, keys: [service.key], paths, connections: CONNECTIONS, ms: turnMs };
    const { latenciesMs, seconds } = await client.run(load);
    return latenciesMs.length / seconds;
  };
  const rush = await createRush(service);
  await search();
  const measured: { quiet: number; ratio: number }[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const quiet = await search();
    const stop = rush.start();
    measured.push({ quiet, ratio: (await search()) / quiet });
    await stop();
  }
  await client.close();
  await service.close();
  const ratios = measured.map(({ ratio }) => ratio);
  const quiet = quantile(
    measured.map((turn) => turn.quiet),
    0.5,
  );
  report.add({
    what: 'searches while 2,000 orders a minute take room',
    value: quiet * quantile(ratios, 0.5),
    unit: 'a second',
    peer: { name: 'while none do', value: quiet },
    limit: { min: quiet * MIN_RATIO },
    details: `${rush.orders()} orders in ${KITCHENS} kitchens`,
  });
}

function pathOf(n: number): string {
  const query = { latitude: String(40.71 + n * 0.01), longitude: String(-74 + n * 0.01), maximum_miles: '5' };
  return `/search/store/v3?${new URLSearchParams(query)}`;
}

/** Orders that take room as placing does, by its one statement. */
async function createRush({ db }: BenchService) {
  const { rows } = await sql<{ storeId: string }>`
    select store_id from stores where own_kitchen is not null`.execute(db);
  const loads = new Map<string, KitchenLoad>();
  let orders = 0;
  const order = async ({ storeId }: { storeId: string }) => {
    const read = loads.get(storeId) ?? {};
    const now = Math.floor(Date.now() / QUARTER_MS);
    const quarters = Array.from({ length: QUARTERS }, (_, more) => String(now + more));
    const first = quarters.find((quarter) => (read[quarter]?.[0] ?? 0) < ROOM);
    // A kitchen that is full for an hour is empty again, as after cancelations.
    const next = first === undefined ? {} : { ...read, [first]: [(read[first]?.[0] ?? 0) + 1, 0] as const };
    await replaceLoad(db, { storeId, sandbox: null }, { read, next });
    loads.set(storeId, next);
    orders += 1;
  };
  return {
    orders: () => orders,
    start() {
      let isOver = false;
      const place = async () => {
        while (!isOver) {
          const due = delay(60_000 / ORDERS_PER_MINUTE);
          const kitchen = rows[orders % rows.length];
          if (kitchen) await order(kitchen);
          await due;
        }
      };
      const placed = place();
      return async () => {
        isOver = true;
        await placed;
      };
    },
  };
}

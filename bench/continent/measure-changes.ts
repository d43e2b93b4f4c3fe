import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../src/platform/db/connect.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { randomId } from '../../src/platform/lib/random-id.ts';
import { addItem } from '../../src/supply/menus/edit-menu.flow.ts';
import { parseItem } from '../../src/supply/menus/menu-entry.ts';
import type { Report } from '../report.ts';
import type { ContinentStore } from './continent-stores.ts';
import { quantile } from './load.ts';
import type { MeasuredMenus } from './measure-products.ts';
import { asksOfKind, PRODUCT_KINDS, productPath } from './product-workloads.ts';
import { chanceOf, pick } from './seeded.ts';

const CHANGES_A_SECOND = 50;
/** Changes that run at a time; more would wait for connections. */
const MAX_RUNNING = 5;
const CONNECTIONS = 2;
const PAUSE_MS = 40;
/** One of so many changes is searched for until it is found, at most for `MAX_FOUND_MS`. */
const SEARCHED_FOR = 25;
const MAX_FOUND_MS = 30_000;
const FIRST_CATEGORY = 's0';
/** Limits against searches at rest, and milliseconds until a change is found. */
const P99_TIMES = 1.5;
const FOUND_MS = 2000;
const MEMORY_TIMES = 1.3;

/** Measures searches at rest, then while stores add items to their menus; and when an item is found. */
export async function measureChanges(db: Db, measured: MeasuredMenus, seconds: number, report: Report): Promise<void> {
  const { client, url, keys, sellers, cpuMs, rssBytesNow } = measured;
  const paths = PRODUCT_KINDS.flatMap((kind) => asksOfKind(kind, sellers).map(productPath));
  const search = (ms: number) =>
    client.run({ url, keys: keys.slice(0, CONNECTIONS), paths, connections: CONNECTIONS, pauseMs: PAUSE_MS, ms });
  await search(5000);
  const rest = await search(20_000);
  const [restCpuMs, restBytes] = [await cpuMs(), await rssBytesNow()];
  const stopped = new AbortController();
  const changing = changeMenus(db, measured, stopped.signal);
  const { latenciesMs } = await search(seconds * 1000);
  stopped.abort();
  const { changes, foundMs } = await changing;
  const cpuS = ((await cpuMs()) - restCpuMs) / 1000;
  const [restP99, p99] = [quantile(rest.latenciesMs, 0.99), quantile(latenciesMs, 0.99)];
  const what = (of: string) => `${of}, ${CHANGES_A_SECOND} menus changed a second`;
  report.add({
    what: what('p99 of product searches'),
    value: p99,
    unit: 'ms',
    limit: { max: P99_TIMES * restP99 },
    details: `at rest p50 ${quantile(rest.latenciesMs, 0.5).toFixed(1)}, p99 ${restP99.toFixed(1)}; under change p50 ${quantile(latenciesMs, 0.5).toFixed(1)} ms of ${latenciesMs.length}; ${(changes / seconds).toFixed(1)} changes/s; ${cpuS.toFixed(1)} s of processor in ${seconds} s`,
  });
  report.add({
    what: what('slowest change to be found'),
    value: Math.max(...foundMs),
    unit: 'ms',
    limit: { max: FOUND_MS },
    details: `p50 ${quantile(foundMs, 0.5).toFixed(0)}, p99 ${quantile(foundMs, 0.99).toFixed(0)} of ${foundMs.length}`,
  });
  report.add({
    what: what('memory'),
    value: (await rssBytesNow()) / restBytes,
    unit: 'of rest',
    limit: { max: MEMORY_TIMES },
    details: `${(restBytes / 2 ** 20).toFixed(0)} MB at rest`,
  });
}

/** Stores add items at a steady rate until the signal, or as fast as the database takes them. */
async function changeMenus(db: Db, measured: MeasuredMenus, signal: AbortSignal) {
  const { sellers } = measured;
  const chance = chanceOf(20_261_126);
  const ids = await storeIds(db);
  const startMs = performance.now();
  const running = new Set<Promise<unknown>>();
  const searched: Promise<number>[] = [];
  let changes = 0;
  for (; !signal.aborted; changes += 1) {
    const store = pick(sellers, chance);
    const word = randomWord();
    const added = add(db, ids.get(store.externalId) ?? '', word);
    if (changes % SEARCHED_FOR === 0) searched.push(added.then(() => untilFound(measured, store, word)));
    running.add(added);
    void added.finally(() => running.delete(added));
    await delay(Math.max(0, startMs + ((changes + 1) * 1000) / CHANGES_A_SECOND - performance.now()));
    if (running.size === MAX_RUNNING) await Promise.race(running);
  }
  await Promise.all(running);
  return { changes, foundMs: await Promise.all(searched) };
}

async function storeIds(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('stores').select(['storeId', 'externalId']).execute();
  return new Map(rows.map(({ storeId, externalId }) => [String(externalId), storeId]));
}

function randomWord(): string {
  return randomId('', 9)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, 'x');
}

async function add(db: Db, storeId: string, word: string): Promise<void> {
  const read = parseItem({ name: `Soup ${word}`, price: 500 });
  if (!read.ok) throw new Error('The item is not valid.');
  const context = { storeId, actor: { source: 'feed', id: null }, at: systemClock.now() } as const;
  await db.transaction().execute((tx) => addItem(tx, context, { categoryId: FIRST_CATEGORY, entry: read.value }));
}

async function untilFound({ url, keys }: MeasuredMenus, store: ContinentStore, word: string): Promise<number> {
  const startMs = performance.now();
  const { latitude, longitude } = store;
  const place = { user_latitude: String(latitude), user_longitude: String(longitude) };
  const path = productPath({ ...place, query: word, maximum_miles: '1' });
  while (performance.now() - startMs < MAX_FOUND_MS) {
    const reply = await fetch(`${url}${path}`, { headers: { 'id-token': keys.at(-1) ?? '' } });
    if ((await reply.text()).includes(word)) break;
    await delay(20);
  }
  return performance.now() - startMs;
}

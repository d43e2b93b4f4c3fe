import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { hilbertKey } from '../../packages/search-engine/hilbert.ts';
import { createHoursEvaluator, engineRow } from '../../src/search/stores/store-row.ts';
import { openingAt } from '../../src/supply/stores/open-state.ts';
import { weekLineOf } from '../../src/supply/stores/schedule.ts';
import type { Store } from '../../src/supply/stores/store.ts';
import { zoneClock } from '../../src/supply/stores/zone-clock.ts';
import type { Rival } from '../compare.ts';
import { print, type Report } from '../report.ts';
import { type ContinentStore, continentStoreBy } from './continent-stores.ts';
import { createStoreForm } from './forms.ts';
import type { MeasuredService } from './measure-singles.ts';
import { pathOf, queriesOf, type Workload } from './workloads.ts';

/** Where Debian's liblucene8-java has its archives. */
const ARCHIVES = '/usr/share/java';
const HEAP = ['-Xms4g', '-Xmx6g', '-XX:+UseSerialGC'];
const COMPARED = 200;
/** A hundredth of a mile, to which answers round. */
const ROUNDING_MILES = 0.011;
const MINUTES_PER_WEEK = 10_080;

/** Lucene on the same stores behind a bare server, with opening states as of its start; undefined where it is not. */
export async function startLucene(stores: number): Promise<(Rival & { close(): Promise<void> }) | undefined> {
  const archives = luceneArchives();
  if (archives !== undefined) return startServer(archives, stores);
  print(`Lucene is left out: it needs a JDK of at least 17, and liblucene8-java in ${ARCHIVES}.`);
}

function luceneArchives(): string | undefined {
  if (spawnSync('javac', ['--version']).status !== 0 || !existsSync(ARCHIVES)) return undefined;
  const found = readdirSync(ARCHIVES).filter((name) => /^lucene-(core|sandbox)-8[\d.]*\.jar$/.test(name));
  return found.length < 2 ? undefined : found.map((name) => join(ARCHIVES, name)).join(':');
}

async function startServer(archives: string, count: number): Promise<Rival & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-lucene-'));
  const program = join(import.meta.dirname, 'lucene-server.java');
  const child = spawn('java', [...HEAP, '-cp', archives, program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await writeStores(child.stdin, count);
  const [port] = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
  if (child.exitCode !== null) throw new Error(`Lucene ended with ${child.exitCode}.`);
  const url = `http://127.0.0.1:${port}`;
  return {
    name: 'Lucene',
    url,
    async close() {
      child.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Writes the stores along a Hilbert curve, as the service stores them, so that a page is in neighboring memory. */
async function writeStores(to: Writable, count: number): Promise<void> {
  const storeAt = continentStoreBy(count, 0);
  const keys = Float64Array.from({ length: count }, (_, number) => {
    const { latitude, longitude } = storeAt(number);
    return hilbertKey(latitude, longitude);
  });
  const numbers = Uint32Array.from({ length: count }, (_, number) => number);
  numbers.sort((a, b) => (keys[a] as number) - (keys[b] as number));
  const lineOf = createLines();
  for (const number of numbers) if (!to.write(lineOf(storeAt(number)))) await once(to, 'drain');
  to.end();
}

/** Returns a function that writes a store as a line of `lucene-server.java`. */
function createLines(): (store: ContinentStore) => string {
  const nowS = Math.floor(Date.now() / 1000);
  const form = createStoreForm();
  const stateOf = createHoursEvaluator((schedule, zone) => (atS) => openingAt(schedule, zoneClock(zone), atS));
  return (given) => {
    const store = form(given);
    const { head, tail, schedule, words, cuisines, deliveryMinutes, isOrderingOn } = engineRow(store);
    const terms = [...words.map((word) => `w${word}`), ...cuisines.map((cuisine) => `c${cuisine}`)];
    if (deliveryMinutes !== null) terms.push('mdelivery');
    const document = Buffer.concat([head, tail, stateOf(schedule, nowS).members(isOrderingOn)]);
    const { latitude, longitude, rating } = store;
    const fields = [latitude, longitude, rating?.value ?? '', terms, openMinutes(store, nowS), document];
    return `${fields.join('\t')}\n`;
  };
}

/** Open minutes of the week in UTC, with the offset of the moment. */
function openMinutes({ hours, timeZone }: Store, nowS: number): string {
  const { always, ranges } = weekLineOf(hours.operational);
  if (always) return `0-${MINUTES_PER_WEEK}`;
  const offset = zoneClock(timeZone).offsetAt(nowS) / 60;
  return ranges
    .flatMap(({ startMinute, endMinute }) => {
      const start = (startMinute - offset + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;
      const end = start + endMinute - startMinute;
      if (end <= MINUTES_PER_WEEK) return [`${start}-${end}`];
      return [`${start}-${MINUTES_PER_WEEK}`, `0-${end - MINUTES_PER_WEEK}`];
    })
    .join(',');
}

/** Checks that a rival's answers contain the same distances, to a hundredth of a mile. */
export async function compareAnswers(
  { url, keys: [key = ''], sample }: MeasuredService,
  rival: Rival,
  workload: Workload,
  report: Report,
): Promise<void> {
  const milesAt = async (base: string, path: string) => {
    const reply = await fetch(base + path, { headers: { 'id-token': key } });
    const { stores } = (await reply.json()) as { stores: { miles: number }[] };
    return stores.map(({ miles }) => miles).sort((a, b) => a - b);
  };
  const unequal: string[] = [];
  for (const path of queriesOf(workload, sample).slice(0, COMPARED).map(pathOf)) {
    const [ours, theirs] = [await milesAt(url, path), await milesAt(rival.url, path)];
    const isNear = (miles: number, nth: number) => Math.abs(miles - (theirs[nth] ?? Infinity)) < ROUNDING_MILES;
    if (ours.length !== theirs.length || !ours.every(isNear)) unequal.push(path);
  }
  const unit = `of ${COMPARED} answers`;
  const details = unequal[0] ?? '';
  report.add({ what: `${workload.name}: other distances`, value: unequal.length, unit, limit: { max: 0 }, details });
}

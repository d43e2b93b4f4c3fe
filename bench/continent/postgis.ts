import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { foldText } from '../../src/platform/lib/text/normalize-text.ts';
import type { Turns } from '../compare.ts';
import type { Report } from '../report.ts';
import { startChild } from '../setup.ts';
import { type ContinentStore, continentStores } from './continent-stores.ts';
import { lineOf } from './forms.ts';
import { quantile } from './load.ts';
import type { MeasuredService } from './measure-http.ts';
import { pathOf, queriesOf, WORKLOADS, type Workload } from './workloads.ts';

/** Searches that both can answer; PostGIS has a dedicated index for each. */
const SEARCHES: readonly Pick<Workload, 'name' | 'queryOf'>[] = [
  {
    name: 'nearest 100 that deliver, rated 4, 5 miles',
    queryOf: () => ({ type: 'restaurant', pickup: false, minimum_rating: 4, maximum_miles: 5 }),
  },
  ...WORKLOADS.filter(({ name }) => name === 'whole name with a typo' || name.startsWith('autocomplete')),
];

/**
 * Compares answers per second over HTTP with PostGIS and `pg_trgm` on the same stores, in alternating rounds. The
 * service does all of its request processing; PostGIS is behind a bare server.
 */
export async function comparePostgis(
  service: MeasuredService,
  { url, only }: { url: string; only: string },
  { turns, turnMs }: Turns,
  report: Report,
): Promise<void> {
  await fill(url, service.stores, report);
  const postgis = await startChild<{ url: string }>('continent/postgis-child.ts', [url]);
  for (const search of SEARCHES) {
    if (!search.name.includes(only)) continue;
    const paths = queriesOf(search, service.sample).map(pathOf);
    const run = (at: string, ms: number) =>
      service.client.run({ url: at, keys: service.keys, paths, connections: 8, ms });
    await run(service.url, turnMs / 4);
    await run(postgis.url, turnMs / 2);
    const times: { times: number; details: string }[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const theirs = await run(postgis.url, turnMs);
      const ours = await run(service.url, turnMs);
      const rates = [ours, theirs].map(({ latenciesMs, seconds }) => latenciesMs.length / seconds) as [number, number];
      const p95 = [ours, theirs].map(({ latenciesMs }) => quantile(latenciesMs, 0.95).toFixed(1));
      const kib = [ours, theirs].map((one) => Math.round(one.bodyBytes / one.latenciesMs.length / 1024));
      const [our, their] = rates.map(Math.round);
      const details = `${our} and ${their} a second, p95 ${p95.join(' and ')} ms, ${kib.join(' and ')} KiB`;
      times.push({ times: rates[0] / rates[1], details });
    }
    times.sort((a, b) => a.times - b.times);
    const { times: value, details } = times[times.length >> 1] as (typeof times)[number];
    report.add({ what: `${search.name}, beside PostGIS`, value, unit: 'times', limit: { min: 1 }, details });
  }
  await postgis.close();
}

/** Loads the stores into a PostGIS table with an index per search. */
async function fill(connectionString: string, count: number, report: Report): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const startMs = performance.now();
  await client.query(`create extension if not exists postgis; create extension if not exists pg_trgm;
    drop table if exists bench_places;
    create unlogged table bench_places (words text, type text, delivers bool, rating real, at geography(point), document text)`);
  const rows = client.query(copyFrom('copy bench_places from stdin'));
  for (const store of continentStores(count, 0)) if (!rows.write(rowOf(store))) await once(rows, 'drain');
  rows.end();
  await finished(rows);
  await client.query(`set maintenance_work_mem = '512MB';
    create index on bench_places using gist (at) where delivers and type = 'restaurant' and rating >= 4;
    create index on bench_places using gist (at);
    create index on bench_places using gin (words gin_trgm_ops)`);
  await client.query('vacuum analyze bench_places');
  await client.query(`alter role current_user set pg_trgm.similarity_threshold = 0.5`);
  const { rows: sizes } = await client.query(`select pg_total_relation_size('bench_places') / 1e6 as mb`);
  await client.end();
  const seconds = (performance.now() - startMs) / 1000;
  const details = `${seconds.toFixed(0)} s with its indexes`;
  report.add({ what: 'stores in PostGIS', value: Number(sizes[0].mb), unit: 'MB', limit: null, details });
}

function rowOf(store: ContinentStore): string {
  const { name, type, delivery, rating, latitude, longitude } = store;
  const at = `SRID=4326;POINT(${longitude} ${latitude})`;
  const values = [` ${foldText(name)}`, type, delivery !== null, rating?.value ?? '\\N', at, lineOf(store)];
  return `${values.map((value) => (value === '\\N' ? value : String(value).replaceAll('\\', '\\\\'))).join('\t')}\n`;
}

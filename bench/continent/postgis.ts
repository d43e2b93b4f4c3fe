import { foldText } from 'doorstep/search-engine/text';
import pg from 'pg';
import type { Rival } from '../compare.ts';
import { print } from '../report.ts';
import { startChild } from '../setup.ts';
import { type ContinentStore, continentStores } from './continent-stores.ts';
import { copyRows } from './copy-rows.ts';
import { lineOf } from './forms.ts';

/** The same stores in PostGIS with `pg_trgm`, an index per search, behind a bare server; undefined without a database. */
export async function startPostgis(stores: number): Promise<(Rival & { close(): Promise<void> }) | undefined> {
  const url = process.env.POSTGIS_URL;
  if (url === undefined) return void print('PostGIS is left out: it needs POSTGIS_URL.');
  await fill(url, stores);
  return { name: 'PostGIS', ...(await startChild<{ url: string }>('continent/postgres-child.ts', [url])) };
}

async function fill(connectionString: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`create extension if not exists postgis; create extension if not exists pg_trgm;
    drop table if exists bench_places;
    create unlogged table bench_places (words text, type text, delivers bool, rating real, at geography(point), document text)`);
  await copyRows(client, 'bench_places', continentStores(count, 0).map(rowOf));
  await client.query(`set maintenance_work_mem = '512MB';
    create index on bench_places using gist (at) where delivers and type = 'restaurant' and rating >= 4;
    create index on bench_places using gist (at);
    create index on bench_places using gin (words gin_trgm_ops)`);
  await client.query('vacuum analyze bench_places');
  await client.query(`alter role current_user set pg_trgm.similarity_threshold = 0.5`);
  await client.end();
}

function rowOf(store: ContinentStore): unknown[] {
  const { name, type, delivery, rating, latitude, longitude } = store;
  const at = `SRID=4326;POINT(${longitude} ${latitude})`;
  return [` ${foldText(name)}`, type, delivery !== null, rating?.value ?? null, at, lineOf(store)];
}

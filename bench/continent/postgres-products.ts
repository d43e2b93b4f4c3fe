import { foldText } from 'doorstep/search-engine/text';
import pg from 'pg';
import type { Rival } from '../compare.ts';
import { type BenchDatabase, startChild } from '../setup.ts';
import type { ContinentStore } from './continent-stores.ts';
import { copyRows } from './copy-rows.ts';
import { categoriesOf } from './menus.ts';

/** The same products in PostgreSQL's own text search, near the 500 nearest stores, behind a bare server. */
export async function startPostgresProducts(
  { connectionString }: BenchDatabase,
  sellers: readonly ContinentStore[],
): Promise<Rival & { close(): Promise<void> }> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`drop table if exists bench_sellers, bench_products;
    create unlogged table bench_sellers (store int primary key, at point);
    create unlogged table bench_products (store int, name text, document text,
      words tsvector generated always as (to_tsvector('english', name)) stored)`);
  await copyRows(
    client,
    'bench_sellers',
    sellers.values().map(({ number, latitude, longitude }) => [number, `(${longitude},${latitude})`]),
  );
  await copyRows(client, 'bench_products (store, name, document)', sellers.values().flatMap(productRows));
  await client.query(`set maintenance_work_mem = '512MB';
    create index on bench_sellers using gist (at);
    create index on bench_products (store);
    create index on bench_products using gin (words)`);
  await client.query('vacuum analyze bench_sellers, bench_products');
  await client.end();
  return {
    name: 'PostgreSQL',
    ...(await startChild<{ url: string }>('continent/postgres-child.ts', [connectionString])),
  };
}

function* productRows(store: ContinentStore): Generator<unknown[]> {
  for (const { products } of categoriesOf(store)) {
    for (const product of products) yield [store.number, foldText(product.name), JSON.stringify(product)];
  }
}

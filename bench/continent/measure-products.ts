import type { Report } from '../report.ts';
import { untilIdle } from '../setup.ts';
import type { ContinentStore } from './continent-stores.ts';
import { type LoadClient, quantile } from './load.ts';
import {
  asksOfKind,
  cartAsks,
  cartPath,
  itemPath,
  PRODUCT_KINDS,
  productPath,
  QUERIES_OF_KIND,
  regionAsks,
  UNSOLD_WORD,
} from './product-workloads.ts';

/** The measured service and its load client. */
export type MeasuredMenus = {
  url: string;
  /** API keys of the accounts: one for each of 8 connections, plus one for the single-connection runs. */
  keys: readonly string[];
  client: LoadClient;
  sellers: readonly ContinentStore[];
  cpuMs(): Promise<number>;
  rssBytesNow(): Promise<number>;
};

/** The limits apply to one connection; results with 8 connections that share the process are only reported. */
const CONNECTIONS = [1, 8];
const PRODUCTS_P50_MS = 5;
const PRODUCTS_P99_MS = 25;
const FIRST_QUERY_MS = 300;
const CARTS_P50_MS = 25;
/** Searches near places that nobody has searched since the start, whose shelves are on the disk. */
const COLD_OF_KIND = 50;
const COLD_CARTS = 200;
const WARM_UPS = 40;
/** Searches that fit into memory together, and how often each is repeated. */
const HOT_OF_KIND = 2;
const HOT_ROUNDS = 20;
const UNSOLD_MS = 500;

/** Measures the first search in each region, sequentially. */
export async function measureFirstQueries({ client, url, keys, sellers }: MeasuredMenus, what: string, report: Report) {
  const paths = regionAsks(sellers).map(productPath);
  const { latenciesMs } = await client.run({ url, keys: keys.slice(-1), paths, rounds: paths.length });
  const at = (share: number) => quantile(latenciesMs, share).toFixed(0);
  report.add({
    what,
    value: Math.max(...latenciesMs),
    unit: 'ms',
    limit: { max: FIRST_QUERY_MS },
    details: `slowest of ${paths.length} regions; p50 ${at(0.5)}, p90 ${at(0.9)} ms`,
  });
}

/** Measures searches of a service that has just started, one at a time and in other places each time. */
export async function measureCold(measured: MeasuredMenus, report: Report): Promise<void> {
  const { sellers } = measured;
  await untilIdle(measured);
  // Near one place, so that the code is compiled.
  const one = sellers.slice(0, 1);
  await askAll(
    measured,
    PRODUCT_KINDS.flatMap((kind) => asksOfKind(kind, one, WARM_UPS).map(productPath)),
    1,
  );
  await askAll(measured, cartAsks(one, WARM_UPS).map(cartPath), 1);
  const paths = PRODUCT_KINDS.flatMap((kind) => asksOfKind(kind, sellers, COLD_OF_KIND).map(productPath));
  const products = await askAll(measured, paths, 1);
  const carts = await askAll(measured, cartAsks(sellers, COLD_CARTS).map(cartPath), 1);
  const few = PRODUCT_KINDS.flatMap((kind) => asksOfKind(kind, sellers, HOT_OF_KIND).map(productPath));
  await askAll(measured, few, 1);
  const repeated = await askAll(measured, Array.from({ length: HOT_ROUNDS }, () => few).flat(), 1);
  const unsold = regionAsks(sellers).map((asked) => itemPath(asked, UNSOLD_WORD));
  const nothing = await askAll(measured, unsold, 1);
  const rows = [
    { name: 'products', ...products, p50: 25, p99: 120 },
    { name: 'carts', ...carts, p50: 60, p99: 250 },
    { name: 'repeated', ...repeated, p50: 6, p99: 25 },
  ];
  for (const { name, latenciesMs, details, p50, p99 } of rows) {
    const what = `node that has started: ${name}`;
    addQuantile(report, { what: `${what}, p50`, latenciesMs, share: 0.5, limit: { max: p50 }, details });
    addQuantile(report, { what: `${what}, p99`, latenciesMs, share: 0.99, limit: { max: p99 }, details });
  }
  const what = 'stores that sell an item that none sells, slowest';
  addQuantile(report, { what, ...nothing, share: 1, limit: { max: UNSOLD_MS } });
}

/** Measures each kind of product search, then all kinds mixed; each path is requested once per connection count. */
export async function measureProducts(measured: MeasuredMenus, report: Report): Promise<void> {
  const kinds = PRODUCT_KINDS.map((kind) => ({
    what: kind.name,
    paths: asksOfKind(kind, measured.sellers, QUERIES_OF_KIND).map(productPath),
  }));
  for (const connections of CONNECTIONS) {
    const limitOf = (maxMs: number) => (connections === 1 ? { max: maxMs } : null);
    const all: number[] = [];
    for (const { what, paths } of kinds) {
      const { latenciesMs, details } = await askAll(measured, paths, connections);
      all.push(...latenciesMs);
      addQuantile(report, { what: `${what}, p50`, latenciesMs, share: 0.5, limit: null, details });
    }
    const details = `${all.length} different queries, ${connections} at a time`;
    const what = connections === 1 ? 'all products' : `all products, ${connections} at a time`;
    const [p50, p99] = [limitOf(PRODUCTS_P50_MS), limitOf(PRODUCTS_P99_MS)];
    addQuantile(report, { what: `${what}, p50`, latenciesMs: all, share: 0.5, limit: p50, details });
    addQuantile(report, { what: `${what}, p99`, latenciesMs: all, share: 0.99, limit: p99, details });
  }
}

export async function measureCarts(measured: MeasuredMenus, report: Report): Promise<void> {
  const paths = cartAsks(measured.sellers).map(cartPath);
  for (const connections of CONNECTIONS) {
    const { latenciesMs, details } = await askAll(measured, paths, connections);
    const what = connections === 1 ? 'carts of 8 lines, p50' : `carts of 8 lines, ${connections} at a time, p50`;
    const limit = connections === 1 ? { max: CARTS_P50_MS } : null;
    addQuantile(report, { what, latenciesMs, share: 0.5, limit, details });
  }
}

async function askAll({ client, url, keys, cpuMs }: MeasuredMenus, paths: readonly string[], connections: number) {
  const beforeMs = await cpuMs();
  const rounds = Math.ceil(paths.length / connections);
  // Uses a fresh account: the scheduler would still deprioritize the one from the single-connection run.
  const used = connections === 1 ? keys.slice(-1) : keys.slice(0, connections);
  const { latenciesMs, seconds, bodyBytes } = await client.run({ url, keys: used, paths, connections, rounds });
  const cpu = (((await cpuMs()) - beforeMs) / latenciesMs.length).toFixed(2);
  const at = (share: number) => quantile(latenciesMs, share).toFixed(1);
  const kib = (bodyBytes / latenciesMs.length / 1024).toFixed(0);
  const details = `${connections} at a time: p95 ${at(0.95)}, p99 ${at(0.99)}, longest ${at(1)} ms; ${cpu} ms of processor, ${kib} KiB, ${(latenciesMs.length / seconds).toFixed(0)}/s`;
  return { latenciesMs, details };
}

type Share = {
  what: string;
  latenciesMs: readonly number[];
  share: number;
  limit: { max: number } | null;
  details: string;
};

function addQuantile(report: Report, { what, latenciesMs, share, limit, details }: Share): void {
  report.add({ what, value: quantile(latenciesMs, share), unit: 'ms', limit, details });
}

import { sql } from 'kysely';
import { systemClock } from '../../src/platform/lib/clock.ts';
import type { Promotion, PromotionTerms } from '../../src/supply/pricing/promotion.ts';
import { insertPromotion } from '../../src/supply/promotions/promotions.db.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { compareWith, type Turns } from '../compare.ts';
import type { Report } from '../report.ts';
import { type BenchDatabase, untilIdle } from '../setup.ts';
import type { ContinentStore } from './continent-stores.ts';
import { SOURCE } from './forms.ts';
import type { LoadClient } from './load.ts';
import { addQuantile } from './measure-singles.ts';
import { startPostgresProducts } from './postgres-products.ts';
import {
  asksOfKind,
  cartAsks,
  cartPath,
  itemPath,
  PRODUCT_KINDS,
  productPath,
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
};

/** Searches near places that no one has searched since the start, whose shelves are on the disk. */
const COLD_OF_KIND = 50;
const COLD_CARTS = 200;
const WARM_UPS = 40;
/** Searches that fit into memory together, and how often each is repeated. */
const HOT_OF_KIND = 2;
const HOT_ROUNDS = 20;

/** Measures searches of a service that has just started, one at a time and in other places each time. */
export async function measureCold(measured: MeasuredMenus, report: Report): Promise<void> {
  const { sellers } = measured;
  const pathsNear = (some: readonly ContinentStore[], count: number) =>
    PRODUCT_KINDS.flatMap((kind) => asksOfKind(kind, some, count).map(productPath));
  await untilIdle(measured);
  // Near one place, so that the code is compiled.
  const one = sellers.slice(0, 1);
  await latenciesOf(measured, [...pathsNear(one, WARM_UPS), ...cartAsks(one, WARM_UPS).map(cartPath)]);
  const cold = await latenciesOf(measured, pathsNear(sellers, COLD_OF_KIND));
  const carts = await latenciesOf(measured, cartAsks(sellers, COLD_CARTS).map(cartPath));
  const few = pathsNear(sellers, HOT_OF_KIND);
  await latenciesOf(measured, few);
  const repeated = await latenciesOf(measured, Array.from({ length: HOT_ROUNDS }, () => few).flat());
  const unsold = await latenciesOf(
    measured,
    regionAsks(sellers).map((query) => itemPath(query, UNSOLD_WORD)),
  );
  for (const [what, latenciesMs, p50, p99] of [
    ['products after a start', cold, 25, 120],
    ['carts after a start', carts, 60, 250],
    ['repeated products after a start', repeated, 6, 25],
  ] as const) {
    addQuantile(report, { what, latenciesMs, share: 0.5, max: p50 });
    addQuantile(report, { what, latenciesMs, share: 0.99, max: p99 });
  }
  addQuantile(report, { what: 'stores of an item that none sells', latenciesMs: unsold, share: 1, max: 500 });
}

/** Measures all kinds of product search and carts, one request at a time. */
export async function measureProducts(measured: MeasuredMenus, report: Report): Promise<void> {
  const paths = PRODUCT_KINDS.flatMap((kind) => asksOfKind(kind, measured.sellers).map(productPath));
  const latenciesMs = await latenciesOf(measured, paths);
  addQuantile(report, { what: 'products', latenciesMs, share: 0.5, max: 5 });
  addQuantile(report, { what: 'products', latenciesMs, share: 0.99, max: 25 });
  const carts = await latenciesOf(measured, cartAsks(measured.sellers).map(cartPath));
  addQuantile(report, { what: 'carts of 8 lines', latenciesMs: carts, share: 0.5, max: 25 });
}

/** Promotions of the operator for all stores, and of every third store, as turns of carts are measured with. */
const OPERATORS = 12;
const STORES_APART = 3;
const CARTS_OF_TURN = 100;

/** Measures the time of processor of carts with promotions by turns with the same carts without. */
export async function measurePromotedCarts(
  measured: MeasuredMenus,
  { db }: BenchDatabase,
  { turns }: Turns,
  report: Report,
): Promise<void> {
  const now = systemClock.now();
  const common = { firstOrder: false, listed: true, minimumSubtotalCents: 1000, maxUses: 1_000_000 };
  const operators = Array.from({ length: OPERATORS }, (_, nth): Promotion => {
    const kinds: PromotionTerms[] = [
      { kind: 'percent', percent: 5 + nth, maxDiscountCents: 1000 },
      { kind: 'amount', amountCents: 300 + nth },
      { kind: 'delivery', amountCents: 100 + nth },
    ];
    const terms = kinds[nth % kinds.length] as PromotionTerms;
    const funding = [{ payer: 'operator', percent: 100 }] as const;
    return { ...common, promotionId: `bench-${nth}`, offeredBy: 'operator', terms, funding };
  });
  const stores = measured.sellers
    .filter((_, nth) => nth % STORES_APART === 0)
    .map(({ externalId }): [string, Promotion] => {
      const ownerId = storeIdOf(SOURCE, externalId);
      const terms = { kind: 'percent', percent: 20 } as const;
      const funding = [{ payer: 'store', percent: 100 }] as const;
      return [ownerId, { ...common, promotionId: `bench-${ownerId}`, offeredBy: 'store', terms, funding }];
    });
  for (const [ownerId, promotion] of [...operators.map((one) => ['', one] as const), ...stores]) {
    await insertPromotion(
      db,
      { promotion, ownerId, offeredBy: promotion.offeredBy, externalId: null, codeHashes: [] },
      now,
    );
  }
  const paths = cartAsks(measured.sellers, CARTS_OF_TURN).map(cartPath);
  const cpuMsOf = async (paused: boolean) => {
    await sql`update promotions set paused = ${paused}`.execute(db);
    const before = await measured.cpuMs();
    await latenciesOf(measured, paths);
    return ((await measured.cpuMs()) - before) / paths.length;
  };
  const pairs: { without: number; promoted: number }[] = [];
  for (let turn = 0; turn < turns; turn += 1)
    pairs.push({ without: await cpuMsOf(true), promoted: await cpuMsOf(false) });
  pairs.sort((a, b) => a.promoted / a.without - b.promoted / b.without);
  const { without, promoted } = pairs[pairs.length >> 1] as (typeof pairs)[number];
  const peer = { name: 'without', value: without };
  const most = 1.2 * without;
  report.add({
    what: 'a cart of 8 lines with promotions, time of processor',
    value: promoted,
    unit: 'ms',
    peer,
    limit: { max: most },
  });
}

/** Compares the kinds of product search that PostgreSQL's text search answers, too. */
export async function compareWithPostgres(
  measured: MeasuredMenus,
  database: BenchDatabase,
  turns: Turns,
  report: Report,
): Promise<void> {
  const rival = await startPostgresProducts(database, measured.sellers);
  for (const kind of PRODUCT_KINDS.slice(0, 3)) {
    const paths = asksOfKind(kind, measured.sellers).map(productPath);
    await compareWith({ ...measured, paths }, rival, kind.name, turns, report);
  }
  await rival.close();
}

async function latenciesOf({ client, url, keys }: MeasuredMenus, paths: readonly string[]): Promise<number[]> {
  const { latenciesMs } = await client.run({ url, keys: keys.slice(-1), paths, rounds: paths.length });
  return latenciesMs;
}

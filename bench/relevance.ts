import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { DEMO_SOURCE, demoCatalog } from '../demo/catalog.ts';
import type { Db } from '../src/platform/db/connect.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { importFiles } from '../src/supply/imports/import-files.flow.ts';
import { readDemoStores } from './relevance/demo-stores.ts';
import { scoreProducts } from './relevance/judge-products.ts';
import { type Judgments, scoreStores } from './relevance/judge-stores.ts';
import { scoreThings, THINGS, type ThingScore } from './relevance/judge-things.ts';
import { PRODUCT_FEEDS, readDemoProducts, readRealProducts } from './relevance/named-products.ts';
import { readRealStores } from './relevance/real-stores.ts';
import { type Score, summaryOf } from './relevance/score.ts';
import { createReport, print } from './report.ts';
import { afternoon, givenBench, importRealFeeds } from './setup.ts';

/**
 * Relevance of store search, product search and carts: labeled queries over real names, where the feeds are alongside
 * the clone, and over the demo's. `npm run bench -- relevance [--misses]` lists the queries that missed a right answer.
 */

/** The minimum recall@5 of these kinds of query together; other kinds are printed without a limit. */
const FLOORS = [
  {
    of: 'typo-free',
    recall: 0.95,
    kinds: [
      'whole name',
      'whole name, plain',
      'part of the name',
      'word order',
      'plural',
      'with and',
      'number',
      'unfinished',
      'joined words',
      'split word',
      'with near me',
      'with the city',
    ],
  },
  { of: 'one typo', recall: 0.9, kinds: ['one typo'] },
  { of: 'two typos where forgiven', recall: 0.9, kinds: ['two typos'] },
];

/** The item above its look-alikes: NDCG@10, and the share of queries whose first response is the item. */
const THING_FLOORS = { ndcg: 0.9, isFirst: 0.96 };

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, misses: { type: 'boolean', default: false } },
});
const report = createReport('relevance');
reportScores('stores of the demo', scoreStores(readDemoStores(), judgmentsIn('demo-stores')));
const demo = await givenBench(importDemo, {}, afternoon());
reportScores('products of the demo', await scoreProducts(demo, readDemoProducts(), judgmentsIn('demo-products')));
await demo.close();
const [realStores, realProducts] = [readRealStores(), readRealProducts()];
if (realStores && realProducts) {
  reportScores('real stores', scoreStores(realStores, judgmentsIn('stores')));
  const real = await givenBench(async (db) => void (await importRealFeeds(db, PRODUCT_FEEDS)), {}, afternoon());
  reportScores('real products', await scoreProducts(real, realProducts, judgmentsIn('products')));
  reportThings('the thing itself', await scoreThings(real, realProducts, THINGS.tuned));
  reportThings('untuned things', await scoreThings(real, realProducts, THINGS.untuned));
  await real.close();
} else print('No real feeds beside the clone: judged over the demo alone.');
report.finish();

async function importDemo(db: Db): Promise<void> {
  const lines = [...demoCatalog()].map((store) => `${JSON.stringify(store)}\n`);
  await importFiles({ db, clock: systemClock }, { files: ['-'], source: DEMO_SOURCE, stdin: Readable.from(lines) });
}

function judgmentsIn(name: string): Judgments {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'relevance', `${name}.json`), 'utf8')) as Judgments;
}

function reportScores(title: string, scores: readonly Score[]): void {
  print(`${title}: ${scores.length} judged queries`);
  for (const [kind, of] of Map.groupBy(scores, (score) => score.kind)) {
    print(`  ${tell(kind, of)}`);
    if (!values.misses) continue;
    for (const { recall, query } of of) if (recall < 1) print(`      ${recall.toFixed(2)} ${query}`);
  }
  for (const { of, recall, kinds } of FLOORS) {
    const { queries, recall: value, reciprocal } = summaryOf(scores.filter(({ kind }) => kinds.includes(kind)));
    const details = `${queries} queries, MRR ${reciprocal.toFixed(3)}`;
    report.add({ what: `${title}, ${of}, recall@5`, value, unit: '', limit: { min: recall }, details });
  }
}

function reportThings(what: string, scores: readonly ThingScore[]): void {
  const mean = (of: (score: ThingScore) => number, some = scores) =>
    some.reduce((sum, one) => sum + of(one), 0) / some.length;
  const carted = scores.filter(({ carts }) => carts !== null);
  const [ndcg, isFirst] = [mean((one) => one.ndcg), mean(({ isFirst: is }) => Number(is))];
  const details = `${scores.length} labeled queries`;
  report.add({ what: `${what}, NDCG@10`, value: ndcg, unit: '', limit: { min: THING_FLOORS.ndcg }, details });
  report.add({
    what: `${what}, first`,
    value: isFirst,
    unit: '',
    limit: { min: THING_FLOORS.isFirst },
    details,
  });
  report.add({
    what: `${what}, chosen by carts`,
    value: mean(({ carts }) => carts ?? 0, carted),
    unit: '',
    details: `${carted.length} labeled queries with carts`,
  });
  if (!values.misses) return;
  for (const { place, query, ndcg: own, isFirst: is, carts } of scores) {
    if (own < 0.9 || !is || (carts ?? 1) < 1)
      print(`      ${own.toFixed(2)} ${is ? 'first' : '-    '} carts ${carts?.toFixed(2) ?? '-'} ${place}: ${query}`);
  }
}

function tell(what: string, scores: readonly Score[]): string {
  const { queries, recall, reciprocal } = summaryOf(scores);
  return `${what.padEnd(26)} ${String(queries).padStart(4)}   recall@5 ${recall.toFixed(3)}   MRR ${reciprocal.toFixed(3)}`;
}

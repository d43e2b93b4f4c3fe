import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DEMO_SOURCE, demoCatalogue } from '../demo/catalogue.ts';
import type { Db } from '../src/db/connect.ts';
import { importFiles } from '../src/imports/import-files.flow.ts';
import { systemClock } from '../src/lib/clock.ts';
import { print } from './compare.ts';
import { readDemoStores } from './relevance/demo-stores.ts';
import { scoreProducts } from './relevance/judge-products.ts';
import { type Judgements, scoreStores } from './relevance/judge-stores.ts';
import { scoreThings, type ThingScore } from './relevance/judge-things.ts';
import { PRODUCT_FEEDS, readDemoProducts, readRealProducts } from './relevance/named-products.ts';
import { readRealStores } from './relevance/real-stores.ts';
import { type Score, summaryOf } from './relevance/score.ts';
import { givenBench, importRealFeeds } from './setup.ts';

/**
 * The relevance of search: judged queries over real names, each made from a name by a recipe, and a smaller set over the
 * demo's names. `node bench/relevance.ts [--misses]` lists the queries that missed a right answer.
 */
const SHOWS_MISSES = process.argv.includes('--misses');

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

/** The thing itself before its look-alikes: NDCG@10, and the share of queries whose first answer is the thing. */
const THING_FLOORS = { ndcg: 0.9, isFirst: 0.95 };

const short: string[] = [];
const sets: [title: string, scores: Score[]][] = [
  ['Stores of the demo', scoreStores(readDemoStores(), judgementsIn('demo-stores'))],
];
const realStores = readRealStores();
const realProducts = readRealProducts();
if (realStores) sets.push(['Real stores', scoreStores(realStores, judgementsIn('stores'))]);
else print('No real feeds beside the clone: judged over the demo alone.');
const demo = await givenBench(importDemo);
sets.push(['Products of the demo', await scoreProducts(demo, readDemoProducts(), judgementsIn('demo-products'))]);
await demo.close();
if (realProducts) {
  const real = await givenBench(async (db) => void (await importRealFeeds(db, PRODUCT_FEEDS)));
  sets.push(['Real products', await scoreProducts(real, realProducts, judgementsIn('products'))]);
  short.push(...reportThings(await scoreThings(real, realProducts)));
  await real.close();
}

short.push(...sets.flatMap(([title, scores]) => report(title, scores)));
if (short.length > 0) {
  print(`Fell short: ${short.join(', ')}`);
  process.exitCode = 1;
}

async function importDemo(db: Db): Promise<void> {
  const lines = [...demoCatalogue()].map((store) => `${JSON.stringify(store)}\n`);
  await importFiles({ db, clock: systemClock }, { files: ['-'], source: DEMO_SOURCE, stdin: Readable.from(lines) });
}

function judgementsIn(name: string): Judgements {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'relevance', `${name}.json`), 'utf8')) as Judgements;
}

/** Returns the floors that were not reached. */
function report(title: string, scores: readonly Score[]): string[] {
  print(`${title}: ${scores.length} judged queries`);
  for (const [kind, of] of Map.groupBy(scores, (score) => score.kind)) {
    print(`  ${tell(kind, of)}`);
    if (!SHOWS_MISSES) continue;
    for (const { recall, query } of of) if (recall < 1) print(`      ${recall.toFixed(2)} ${query}`);
  }
  const reached = FLOORS.map(({ of, recall, kinds }) => {
    const held = scores.filter(({ kind }) => kinds.includes(kind));
    print(`  ${tell(of.toUpperCase(), held)}   (at least ${recall})`);
    return { of, isReached: summaryOf(held).recall >= recall };
  });
  return reached.filter(({ isReached }) => !isReached).map(({ of }) => `${title}, ${of}`);
}

/** Returns the floors that were not reached. */
function reportThings(scores: readonly ThingScore[]): string[] {
  const mean = (of: (score: ThingScore) => number, some = scores) =>
    some.reduce((sum, one) => sum + of(one), 0) / some.length;
  const carted = scores.filter(({ carts }) => carts !== null);
  const [ndcg, isFirst] = [mean((one) => one.ndcg), mean(({ isFirst: is }) => Number(is))];
  print(`The thing itself: ${scores.length} labelled queries`);
  print(
    `  NDCG@10 ${ndcg.toFixed(3)} (at least ${THING_FLOORS.ndcg}), first ${isFirst.toFixed(3)} (at least ${THING_FLOORS.isFirst})`,
  );
  print(
    `  ${carted.length} of them with carts: ${mean(({ carts }) => carts ?? 0, carted).toFixed(3)} of the carts chose it`,
  );
  if (SHOWS_MISSES) {
    for (const { place, query, ndcg: own, isFirst: is, carts } of scores) {
      if (own < 0.9 || !is || (carts ?? 1) < 1)
        print(`      ${own.toFixed(2)} ${is ? 'first' : '-    '} carts ${carts?.toFixed(2) ?? '-'} ${place}: ${query}`);
    }
  }
  return ndcg >= THING_FLOORS.ndcg && isFirst >= THING_FLOORS.isFirst ? [] : ['the thing itself'];
}

function tell(what: string, scores: readonly Score[]): string {
  const { queries, recall, reciprocal } = summaryOf(scores);
  return `${what.padEnd(26)} ${String(queries).padStart(4)}   recall@5 ${recall.toFixed(3)}   MRR ${reciprocal.toFixed(3)}`;
}

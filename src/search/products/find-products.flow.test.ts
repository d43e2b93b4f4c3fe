import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { named, productIndexOf } from '../../../test/given/product-index.ts';
import { runs } from '../../../test/runs.ts';
import { runInSlices } from '../../platform/load/event-loop-scheduler.ts';
import type { NearStore, Sort } from '../stores/store-query.ts';
import { matchSellers, withProductIndexes } from './find-products.flow.ts';
import type { ProductIndex } from './product.index.ts';
import type { ProductIndexes } from './product-indexes.cache.ts';
import { ProductTerms } from './product-terms.index.ts';

/** Product indexes of these sizes, and the stores whose index was read. */
function givenIndexes(sizes: readonly number[]) {
  const read = new Set<string>();
  const productIndexes: Pick<ProductIndexes, 'of'> = {
    async of(storeIds: readonly string[]) {
      for (const storeId of storeIds) read.add(storeId);
      return new Map(
        storeIds.map((storeId) => [
          storeId,
          { storeId, productCount: sizes[Number(storeId)] } as unknown as ProductIndex,
        ]),
      );
    },
  };
  return { productIndexes, read, sellers: sizes.map((_, at) => ({ storeId: String(at) })) };
}

test('product indexes are taken nearest first while their products are within the bound, and at least one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 1, 50, 400, 5000), { maxLength: 200 }),
      fc.constantFrom(1, 1000, 20_000),
      async (sizes, maxProducts) => {
        const { productIndexes, sellers } = givenIndexes(sizes);
        const taken = await withProductIndexes({ productIndexes, owner: 'anyone' }, sellers, maxProducts);
        let products = 0;
        const over = sizes.findIndex((size, at) => {
          products += size;
          return at > 0 && products > maxProducts;
        });
        assert.deepEqual(
          taken.map(({ storeId }) => storeId),
          sellers.slice(0, over < 0 ? sizes.length : over).map(({ storeId }) => storeId),
        );
      },
    ),
  );
});

test('large product indexes beyond the bound are hardly read', async () => {
  const { productIndexes, sellers, read } = givenIndexes(new Array(500).fill(40_000));
  assert.equal((await withProductIndexes({ productIndexes, owner: 'anyone' }, sellers, 2_000_000)).length, 50);
  assert.equal(read.size, 51);
});

test('the indexes of a request are of one set of terms: where the writer thread is started again, they are read again', async () => {
  const sets = [new ProductTerms(), new ProductTerms(), new ProductTerms()];
  const sellers = Array.from({ length: 60 }, (_, at) => ({ storeId: String(at) }));
  /** The thread is started again before the reads with these numbers. */
  const takenWhere = async (startsAt: readonly number[]) => {
    let reads = 0;
    const of: ProductIndexes['of'] = async (storeIds) => {
      const terms = sets[startsAt.filter((at) => at <= reads).length];
      reads += 1;
      const indexes = storeIds.map((storeId) => ({ storeId, productCount: 1, terms }) as unknown as ProductIndex);
      return new Map(indexes.map((index) => [index.storeId, index]));
    };
    return withProductIndexes({ productIndexes: { of }, owner: 'anyone' }, sellers);
  };
  for (const [startsAt, last] of [
    [[], 0],
    [[1], 1],
    [[1, 3], 2],
  ] as const) {
    const taken = await takenWhere(startsAt);
    assert.deepEqual(
      taken.map(({ storeId }) => storeId),
      sellers.map(({ storeId }) => storeId),
    );
    assert.deepEqual(new Set(taken.map(({ productIndex }) => productIndex.terms)), new Set([sets[last]]));
  }
});

test('two batches of product indexes are read at a time, once the mean size is known', async () => {
  const { productIndexes, sellers } = givenIndexes(new Array(450).fill(150));
  const sizes: number[] = [];
  let running = 0;
  let maxRunning = 0;
  const slow: Pick<ProductIndexes, 'of'> = {
    async of(storeIds, owner) {
      sizes.push(storeIds.length);
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      if (sizes.length === 2) assert.equal(running, 1);
      await new Promise(setImmediate);
      running -= 1;
      return productIndexes.of(storeIds, owner);
    },
  };
  const taken = await withProductIndexes({ productIndexes: slow, owner: 'anyone' }, sellers);
  assert.deepEqual([taken.length, sizes, maxRunning], [450, [10, 100, 100, 100, 100, 40], 2]);
});

test('a read that fails fails the search, and no later read is left unheard', async () => {
  const unreported: unknown[] = [];
  const note = (error: unknown) => void unreported.push(error);
  process.on('unhandledRejection', note);
  const { productIndexes, sellers } = givenIndexes(new Array(300).fill(1));
  const failing: Pick<ProductIndexes, 'of'> = {
    async of(storeIds, owner) {
      if (storeIds.length > 10) throw new Error('away');
      return productIndexes.of(storeIds, owner);
    },
  };
  await assert.rejects(withProductIndexes({ productIndexes: failing, owner: 'anyone' }, sellers), /away/);
  await new Promise(setImmediate);
  process.off('unhandledRejection', note);
  assert.deepEqual(unreported, []);
});

type Menu = { names: readonly string[]; miles: number };

/**
 * The first three products by relevance, as seller and product numbers. `elsewhere` are products of another store that
 * the node has in memory.
 */
async function firstThree(menus: readonly Menu[], text: string, elsewhere: readonly string[] = []): Promise<string[]> {
  const terms = new ProductTerms();
  productIndexOf(
    elsewhere.map((name) => ({ name })),
    terms,
  );
  const indexes = menus.map(
    ({ names }) =>
      productIndexOf(
        names.map((name) => ({ name })),
        terms,
      ).index,
  );
  const sellers = menus.map(({ miles }, at): NearStore => ({ storeId: `s${at}`, miles, key: 0 }));
  const pool = await matchSellers({ text, gtins: null, claims: 0 }, null, indexes);
  const ranked = await runInSlices(pool.rank(sellers, 'relevance', 0, 3));
  return ranked.map(({ seller, productNo }) => `${seller.storeId}/${productNo}`);
}

const nearSellers = (names: readonly string[]) => Array.from({ length: 20 }, (_, at) => ({ names, miles: at / 10 }));

test('a product that only a far seller has is found', async () => {
  const menus = [...nearSellers(['Milk', 'Milk']), { names: ['Blueberries', 'Milk'], miles: 12 }];
  assert.deepEqual(await firstThree(menus, 'blueberries'), ['s20/1']);
  assert.deepEqual(await firstThree(menus, 'milk'), ['s0/1', 's0/2', 's1/1']);
});

test('a far seller with the exact word outranks near sellers with a similar word', async () => {
  const menus = [...nearSellers(['Mlik', 'Mlik']), { names: ['Milk'], miles: 2000 }];
  assert.deepEqual(await firstThree(menus, 'milk'), ['s20/1', 's0/1', 's0/2']);
});

test('products match next to other sellers’ products, as typed and rewritten', async () => {
  const terms = new ProductTerms();
  const menus = [
    ['Tomatoes', 'Organic Milk'],
    ['Organic', 'Blueberries'],
  ];
  const indexes = menus.map(
    (names) =>
      productIndexOf(
        names.map((name) => ({ name })),
        terms,
      ).index,
  );
  const sellers = menus.map((_, at): NearStore => ({ storeId: `s${at}`, miles: at, key: 0 }));
  const found = async (text: string) => {
    const pool = await matchSellers({ text, gtins: null, claims: 0 }, null, indexes);
    const ranked = await runInSlices(pool.rank(sellers, 'relevance', 0, 9));
    return ranked.map(({ seller, productNo }) => `${seller.storeId}/${productNo}`);
  };
  assert.deepEqual(await found('organic'), ['s1/1', 's0/2']);
  assert.deepEqual(await found('tomatoes'), ['s0/1']);
  assert.deepEqual(await found('blueberries'), ['s1/2']);
  assert.deepEqual(await found('organicmilk'), ['s0/2']);
  assert.deepEqual(await found('blue berries'), ['s1/2']);
});

test('a text that no seller has as typed is rewritten', async () => {
  const menus = [...nearSellers(['Tomatoes']), { names: ['Organic Milk'], miles: 12 }];
  assert.deepEqual(await firstThree(menus, 'organicmilk'), ['s20/1']);
  assert.deepEqual(await firstThree(menus, 'organicmilk', ['Organicmilk', 'Organic']), ['s20/1']);
  assert.deepEqual(await firstThree(menus, 'organicbread', ['Bread']), []);
});

test('where no product has all words, the head noun decides, and words that may be dropped are, the commonest first', async () => {
  const dairy = ['Whole Milk', 'Organic Whole Milk Yogurt', 'Organic Eggs', 'Organic Butter', 'Skim Milk'];
  const menus = [...nearSellers(['Milk', 'Organic Tea']), { names: dairy, miles: 12 }];
  assert.deepEqual(await firstThree(menus, 'branded whole milk, organic'), ['s20/1']);
  assert.deepEqual(await firstThree(menus, 'organic whole butter'), ['s20/4']);
  for (const amount of [
    '2 cups of zesty milk for the table',
    '½ cup of milk',
    '28 oz can milk',
    '1 (14 oz) can milk, cold',
  ])
    assert.deepEqual(await firstThree(menus, amount), ['s0/1', 's1/1', 's2/1'], amount);
  for (const nothing of ['whole zebra', 'coconut milk', 'milk gallon brand', 'zebra giraffe'])
    assert.deepEqual(await firstThree(menus, nothing), [], nothing);
});

const FOODS = ['milk', 'butter', 'apple'];
const NOUNS = [...FOODS, 'zebra'];

test('dropped words are named; the head noun, which is the product, and foods never are', async () => {
  const word = fc.constantFrom(...NOUNS, 'organic', 'whole');
  const menu = fc.array(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(menu, { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
      async (menus, text) => {
        const terms = new ProductTerms();
        const all = menus.flat();
        const indexes = menus.map((names) => productIndexOf(named(...names.map((one) => one.join(' '))), terms).index);
        const sellers = menus.map((_, at): NearStore => ({ storeId: String(at), miles: 1, key: 0 }));
        const pool = await matchSellers({ text: text.join(' '), gtins: null, claims: 0 }, null, indexes);
        const ranked = await runInSlices(pool.rank(sellers, 'relevance', 0, 99));
        const found = ranked.map(({ seller, productNo }) => menus[Number(seller.storeId)]?.[productNo - 1] ?? []);
        const hasAll = (name: readonly string[]) => text.every((one) => name.includes(one));
        if (all.some(hasAll)) {
          assert.deepEqual(pool.relaxed, []);
          assert.equal(found.length, all.filter(hasAll).length);
          assert.ok(found.every(hasAll), `${text}`);
          return;
        }
        const head = text.findLast((one) => NOUNS.includes(one)) ?? text.at(-1) ?? '';
        const isKept = (one: string) => one === head || FOODS.includes(one);
        // No food comes after the head in the product's name, unless the query has the whole name.
        const isHead = (name: readonly string[]) =>
          !name.slice(name.lastIndexOf(head) + 1).some((one) => FOODS.includes(one)) ||
          name.every((one) => text.includes(one));
        const due = all.filter((name) => text.every((one) => !isKept(one) || name.includes(one)) && isHead(name));
        const countOf = (one: string) => all.reduce((sum, name) => sum + name.filter((own) => own === one).length, 0);
        const weightOf = (name: readonly string[]) =>
          text.filter((one) => name.includes(one)).reduce((sum, one) => sum + 32 - Math.log2(countOf(one)), 0);
        const heaviest = Math.max(...due.map(weightOf));
        assert.equal(found.length > 0, due.length > 0, `${text}: ${JSON.stringify(menus)}`);
        for (const name of found) {
          assert.ok(due.includes(name) && Math.abs(weightOf(name) - heaviest) < 1e-9, `${name} for ${text}`);
          assert.deepEqual(
            pool.relaxed,
            text.filter((one) => !name.includes(one)),
          );
        }
        if (found.length === 0) assert.deepEqual(pool.relaxed, []);
      },
    ),
    { numRuns: runs(300) },
  );
});

test('a typo in the first letter is forgiven beside other words where nothing else is found, unless it makes a food', async () => {
  const menus = [{ names: ['Spring Water, Bottle', 'Dill Pickle Spear'], miles: 1 }];
  assert.deepEqual(await firstThree(menus, 'sprinh ater bottle'), ['s0/1']);
  assert.deepEqual(await firstThree(menus, 'spring gater'), ['s0/1']);
  for (const nothing of ['gater', 'pickle pear', 'spring xxter'])
    assert.deepEqual(await firstThree(menus, nothing), [], nothing);
  assert.deepEqual(await firstThree([{ names: ['WHEAT/GRAIN BR', 'Chkn Brst'], miles: 1 }], 'wheat bread'), ['s0/1']);
});

test('no food is a misspelling of another, or of a word with another letter, and an exact shelf comes before a corrected spelling', async () => {
  assert.deepEqual(await firstThree([{ names: ['Tomato Paste', 'Pears', 'Beef'], miles: 1 }], 'pasta'), []);
  assert.deepEqual(await firstThree([{ names: ['Yoghurt', 'Mlik'], miles: 1 }], 'milk'), ['s0/2']);
  assert.deepEqual(await firstThree([{ names: ['Garlic Nan', 'Kale'], miles: 1 }], 'naan'), ['s0/1']);
  for (const [food, other] of [
    ['wine', 'Baby Wipes'],
    ['limes', 'Line Sardines'],
    ['beer', 'Gummy Bears'],
  ] as const)
    assert.deepEqual(await firstThree([{ names: [other], miles: 1 }], food), [], `${food} is not ${other}`);
  const terms = new ProductTerms();
  const shelf = { name: 'Rigatoni', category: 'Nuts' };
  const { index } = productIndexOf([...Array(60).fill({ name: 'Nutz' }), shelf], terms);
  const pool = await matchSellers({ text: 'nuts', gtins: null, claims: 0 }, null, [index]);
  const [best] = await runInSlices(pool.rank([{ storeId: 's0', miles: 1, key: 0 }], 'relevance', 0, 1));
  assert.equal(best?.productNo, 61);
});

test('names come before categories, these before cuisines, these before typos, and a cuisine counts only where nothing else of its store matches', async () => {
  const terms = new ProductTerms();
  const menus = [
    [{ name: 'Margherita' }, { name: 'Diavola' }],
    [{ name: 'Quattro Formaggi', category: 'Pizza' }, { name: 'Cola' }],
    [{ name: 'Pizza Bianca', category: 'Pizza' }, { name: 'Marinara', category: 'Pizza' }, { name: 'Wine' }],
    [{ name: 'Piazza Spritz' }, { name: 'Green Tea' }],
  ];
  const indexes = menus.map((menu) => productIndexOf(menu, terms).index);
  const sellers = menus.map((_, at): NearStore => ({ storeId: `s${at}`, miles: at, key: 0 }));
  const found = async (text: string, cuisineSellers: readonly number[] = [], sort: Sort = 'relevance') => {
    const pool = await matchSellers({ text, gtins: null, claims: 0 }, null, indexes, () => new Set(cuisineSellers));
    const ranked = await runInSlices(pool.rank(sellers, sort, 0, 99));
    return ranked.map(({ seller, productNo }) => `${seller.storeId}/${productNo}`);
  };
  assert.deepEqual(await found('pizza', [0, 1, 2]), ['s2/1', 's1/1', 's2/2', 's0/1', 's0/2', 's3/1']);
  assert.deepEqual(await found('pizza', [0, 1, 2], 'cheapest'), ['s2/1']);
  assert.deepEqual(await found('pizzas'), ['s2/1', 's1/1', 's2/2', 's3/1']);
  assert.deepEqual(await found('hawaiian pizza'), ['s2/1', 's1/1', 's2/2', 's3/1']);
});

test('a category matches where names do not: unfinished, misspelled, and by part of the words', async () => {
  const terms = new ProductTerms();
  const { index } = productIndexOf([{ name: 'Margherita', category: 'Pizza' }, { name: 'Cola' }], terms);
  const sizeOf = async (text: string) => (await matchSellers({ text, gtins: null, claims: 0 }, null, [index])).size;
  for (const text of ['pizza', 'pizz', 'piza', 'hawaiian pizza']) assert.equal(await sizeOf(text), 1, text);
  assert.equal(await sizeOf('sushi'), 0);
});

test('a store gives 20 products by its cuisine, and names that fill a page exclude the rest', async () => {
  const terms = new ProductTerms();
  const many = (name: string, count: number) =>
    productIndexOf(
      Array.from({ length: count }, () => ({ name })),
      terms,
    ).index;
  const size = async (indexes: ProductIndex[]) =>
    (await matchSellers({ text: 'pizza', gtins: null, claims: 0 }, null, indexes, () => new Set([0]))).size;
  const pies = many('Margherita', 30);
  assert.equal(await size([pies]), 20);
  assert.equal(await size([pies, many('Pizza', 49)]), 69);
  assert.equal(await size([pies, many('Pizza', 50)]), 50);
});

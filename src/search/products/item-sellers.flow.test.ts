import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedTypos, createTypoMatcher, splitWords } from 'doorstep/search-engine/text';
import fc from 'fast-check';
import { productIndexOf } from '../../../test/given/product-index.ts';
import { runs } from '../../../test/runs.ts';
import { nextTurn } from '../../../test/until.ts';
import type { ItemGrade, ItemNameQuery } from '../stores/find-item-sellers.flow.ts';
import { ProductItemSearches } from './item-sellers.flow.ts';
import type { ProductIndex } from './product.index.ts';
import { IN_DELIVERY, IN_PICKUP } from './product-layout.ts';
import { ProductTerms } from './product-terms.index.ts';

type Sold = { name: string; size?: string; category?: string; modes?: number };

/** Grades stores by the products they sell; a store's id is its position. */
function grading(menus: readonly (readonly Sold[])[], isOnDisk = false) {
  const terms = new ProductTerms();
  const indexes = new Map<string, ProductIndex>();
  for (const [at, products] of menus.entries()) indexes.set(String(at), productIndexOf(products, terms).index);
  const of = async (storeIds: readonly string[]) =>
    new Map(storeIds.map((storeId) => [storeId, indexes.get(storeId) as ProductIndex]));
  const itemSearches = new ProductItemSearches({ of, findTerms: async () => (isOnDisk ? terms : undefined) });
  return async (text: string, more: Partial<ItemNameQuery> = {}, maxProducts = 1000) => {
    const itemQuery = { text, pickup: null, isUnfinished: false, forgivesTypos: false, ...more };
    return itemSearches.run('anyone', (grade) => grade([...indexes.keys()], itemQuery, maxProducts));
  };
}

const sold = (...names: string[]): Sold[] => names.map((name) => ({ name }));
const gradesIn = async (grade: ReturnType<typeof grading>, text: string, more: Partial<ItemNameQuery> = {}) =>
  Object.fromEntries((await grade(text, more)).grades);

test('a store has the grade of its best product with all words in its name; words of two products do not add up', async () => {
  const grade = grading([
    sold('Chicken Soup'),
    sold('Chicken Wings', 'Tomato Soup'),
    sold('Soup of Chickens', 'Chikken Soup'),
    sold('Lasagna'),
    sold('Chikken Soup'),
  ]);
  assert.deepEqual(await gradesIn(grade, 'chicken soup'), { 0: 'exact', 2: 'exact' });
  assert.deepEqual(await gradesIn(grade, 'chicken soup', { forgivesTypos: true }), {
    0: 'exact',
    2: 'exact',
    4: 'misspelled',
  });
  assert.deepEqual(await gradesIn(grade, 'zanzibar', { forgivesTypos: true, isUnfinished: true }), {});
  assert.deepEqual(await gradesIn(grade, 'soup chic', { isUnfinished: true }), { 0: 'unfinished', 2: 'unfinished' });
  assert.deepEqual(await gradesIn(grade, 'soup chic'), {});
});

test('words of the size and of the category are no words of the name', async () => {
  const grade = grading([[{ name: 'Whole Milk', size: '1 gal', category: 'Dairy' }]]);
  assert.deepEqual(await gradesIn(grade, 'milk'), { 0: 'exact' });
  assert.deepEqual(await gradesIn(grade, 'milk dairy'), {});
  assert.deepEqual(await gradesIn(grade, 'milk 1 gallon'), {});
});

test('a product counts in the modes that it is sold in', async () => {
  const grade = grading([[{ name: 'Milk', modes: IN_PICKUP }], [{ name: 'Milk', modes: IN_DELIVERY }]]);
  assert.deepEqual(await gradesIn(grade, 'milk'), { 0: 'exact', 1: 'exact' });
  assert.deepEqual(await gradesIn(grade, 'milk', { pickup: true }), { 0: 'exact' });
  assert.deepEqual(await gradesIn(grade, 'milk', { pickup: false }), { 1: 'exact' });
});

test('stores are examined up to the bound on products, and one of them at least', async () => {
  const grade = grading([sold('Milk', 'Tea'), sold('Milk', 'Tea', 'Rum'), sold('Milk')]);
  const examined = async (maxProducts: number) => {
    const graded = await grade('milk', {}, maxProducts);
    return [graded.examined, graded.products, graded.grades.size];
  };
  assert.deepEqual(await examined(1), [1, 2, 1]);
  assert.deepEqual(await examined(5), [2, 5, 2]);
  assert.deepEqual(await examined(6), [3, 6, 3]);
});

const MILK: ItemNameQuery = { text: 'milk', pickup: null, isUnfinished: false, forgivesTypos: false };
const MAX_PRODUCTS = 1000;
/** No store has a shelf. */
const findTerms = async () => undefined;

test('a word that is like no term of the shelves is answered without reading one', async () => {
  const terms = new ProductTerms();
  productIndexOf(sold('Milk Chocolate'), terms);
  const itemSearches = new ProductItemSearches({ findTerms: async () => terms, of: () => assert.fail('read') });
  const search = (text: string, more: Partial<ItemNameQuery> = {}) =>
    itemSearches.run('anyone', (grade) => grade(['0', '1'], { ...MILK, text, ...more }, MAX_PRODUCTS));
  const nothing = { examined: 2, products: 0, grades: new Map() };
  assert.deepEqual(await search('zanzibar'), nothing);
  assert.deepEqual(await search('milk zanzibar', { isUnfinished: true, forgivesTypos: true }), nothing);
  await assert.rejects(search('milk'), /read/);
  await assert.rejects(search('chocolade', { forgivesTypos: true }), /read/);
});

test('an account that floods is refused, and another account is not', async () => {
  const { promise: read, resolve } = Promise.withResolvers<ReadonlyMap<string, ProductIndex>>();
  const itemSearches = new ProductItemSearches({ of: () => read, findTerms });
  const search = (owner: string) => itemSearches.run(owner, (grade) => grade(['0'], MILK, MAX_PRODUCTS));
  const flood = Array.from({ length: 64 }, () => search('flood'));
  await assert.rejects(search('flood'), { code: 'rate_limited' });
  const neighbor = search('neighbor');
  resolve(new Map([['0', productIndexOf(sold('Milk')).index]]));
  for (const graded of [...(await Promise.all(flood)), await neighbor]) assert.equal(graded.grades.get('0'), 'exact');
});

test('a search is refused at its start or never: its later batches wait, and other accounts go between them', async () => {
  const { index } = productIndexOf(sold('Milk'));
  const itemSearches = new ProductItemSearches({
    findTerms,
    async of(storeIds) {
      await nextTurn();
      return new Map(storeIds.map((storeId) => [storeId, index]));
    },
  });
  const batches: string[] = [];
  const search = (owner: string, count: number) =>
    itemSearches.run(owner, async (grade) => {
      for (let batch = 0; batch < count; batch += 1) {
        batches.push(owner);
        await grade([String(batch)], MILK, MAX_PRODUCTS);
        await nextTurn();
      }
    });
  const flood = Array.from({ length: 64 }, () => search('flood', 5));
  const neighbor = search('neighbor', 5).then(() => batches.length);
  for (let n = 0; n < 20; n += 1) {
    await assert.rejects(search('flood', 1), { code: 'rate_limited' });
    await nextTurn();
  }
  await Promise.all(flood);
  assert.ok((await neighbor) < 5 * 64);
  await search('flood', 1);
});

test('the words of a search are matched with terms once for each grade, and again where new terms have come', async () => {
  const terms = new ProductTerms();
  const { index } = productIndexOf(sold('Milk'), terms);
  let matched = 0;
  const match = terms.match.bind(terms);
  terms.match = (...word) => {
    matched += 1;
    return match(...word);
  };
  const itemSearches = new ProductItemSearches({
    findTerms,
    async of(storeIds) {
      const isLater = storeIds.includes('later');
      return new Map(
        storeIds.map((storeId) => [storeId, isLater ? productIndexOf(sold('Milkshake'), terms).index : index]),
      );
    },
  });
  const found = await itemSearches.run('anyone', async (grade) => {
    const itemQuery = { ...MILK, isUnfinished: true };
    for (let batch = 0; batch < 5; batch += 1) await grade([`${batch}`], itemQuery, MAX_PRODUCTS);
    const once = matched;
    const { grades } = await grade(['later'], itemQuery, MAX_PRODUCTS);
    await grade(['0'], { ...itemQuery, forgivesTypos: true }, MAX_PRODUCTS);
    return { once, all: matched, later: grades.get('later') };
  });
  assert.deepEqual(found, { once: 1, all: 3, later: 'unfinished' });
});

test('a batch finds a new word as a term where an earlier batch brought it as a stem', async () => {
  const terms = new ProductTerms();
  const itemSearches = new ProductItemSearches({
    findTerms,
    async of(storeIds) {
      return new Map(storeIds.map((name) => [name, productIndexOf(sold(name), terms).index]));
    },
  });
  const found = await itemSearches.run('anyone', async (grade) => {
    const itemQuery = { ...MILK, text: 'burger' };
    await grade(['Cheese Burgers'], itemQuery, MAX_PRODUCTS);
    return (await grade(['Burger'], itemQuery, MAX_PRODUCTS)).grades;
  });
  assert.deepEqual([...found], [['Burger', 'exact']]);
});

test('an unfinished word has two letters at least', async () => {
  const grade = grading([sold('Milk'), sold('M Roll')]);
  assert.deepEqual(await gradesIn(grade, 'm', { isUnfinished: true }), { 1: 'exact' });
  assert.deepEqual(await gradesIn(grade, 'mi', { isUnfinished: true }), { 0: 'unfinished' });
});

const NAMES: [product: string, query: string][] = [
  ['Jalapeño Poppers', 'jalapeno poppers'],
  ['ÆBLESKIVER', 'aebleskiver'],
  ['Hors d’Œuvres', "hors d'oeuvres"],
  ['Þorramatur', 'thorramatur'],
  ['GROẞE BREZEL', 'grosse brezel'],
  ['İskender Kebap', 'iskender'],
  ['Ærøskøbing Ølbrød', 'AEROSKOBING ølbrød'],
  ['Борщ', 'БОРЩ'],
  ['味噌ラーメン', '味噌ラーメン'],
  ['Nº 5 ½ Sandwich', 'nº 5 ½ sandwich'],
];

test('a product is found by the words of its name in any script', async (t) => {
  for (const [product, query] of NAMES) {
    await t.test(product, async () => {
      const grade = grading([sold(product)]);
      assert.deepEqual(await gradesIn(grade, query), { 0: 'exact' });
      assert.deepEqual(await gradesIn(grade, query.toUpperCase()), { 0: 'exact' });
      // Without its last letter a word may be read as its singular.
      const unfinished = await gradesIn(grade, query.slice(0, -1), { isUnfinished: true });
      assert.ok(['exact', 'unfinished'].includes(unfinished[0] ?? ''));
      assert.deepEqual(await gradesIn(grade, `${query} zzz`), {});
    });
  }
});

const PARTS = ['pizza', 'mac', 'Cheese', 'chicken', 'soup', 'Café', 'coca', 'cola', 'cocoa', 'packet', '宫保'];
const names = fc
  .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 6 })
  .chain((words) => fc.constantFrom(' ', '-', ', ', '_').map((between) => words.join(between)));
const menus = fc.array(fc.array(names, { maxLength: 4 }), { minLength: 1, maxLength: 5 });
/** Words of names, some truncated or with two letters transposed. */
const text = fc
  .array(fc.tuple(fc.constantFrom(...PARTS), fc.nat(8), fc.constantFrom('as it is', 'cut', 'exchanged')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((words) => words.map(([word, at, change]) => changed(word, at, change)).join(' '));

function changed(word: string, at: number, change: string): string {
  if (change === 'cut') return word.slice(0, 1 + at);
  const letters = [...word];
  if (change === 'exchanged') letters.splice(at, 2, ...letters.slice(at, at + 2).toReversed());
  return letters.join('');
}

/** Grades a name by its words; null if a word is missing. */
function gradeName(name: string, { text, isUnfinished, forgivesTypos }: ItemNameQuery): number | null {
  const { isWithinTypos } = createTypoMatcher();
  // A cola is a food, so it's spelled right, and no coca.
  const isMisspelled = (word: string, other: string) =>
    word[0] === other[0] &&
    !(word === 'cola' && other === 'coca') &&
    isWithinTypos(word, other, allowedTypos(word.length));
  const words = splitWords(text);
  const own = splitWords(name);
  let worst = 0;
  for (const [nth, word] of words.entries()) {
    const mayGoOn = isUnfinished && nth === words.length - 1 && word.length >= 2;
    if (own.includes(word)) continue;
    if (mayGoOn && own.some((other) => other.startsWith(word))) worst = Math.max(worst, 1);
    else if (forgivesTypos && own.some((other) => isMisspelled(word, other))) worst = 2;
    else return null;
  }
  return worst;
}

const GRADES: readonly ItemGrade[] = ['exact', 'unfinished', 'misspelled'];

test('grades equal a scan of the names', async () => {
  let graded = 0;
  await fc.assert(
    fc.asyncProperty(menus, text, fc.boolean(), fc.boolean(), async (all, typed, isUnfinished, forgivesTypos) => {
      const itemQuery = { text: typed, pickup: null, isUnfinished, forgivesTypos };
      const found = (await grading(all.map((menu) => sold(...menu)))(typed, itemQuery)).grades;
      for (const [at, menu] of all.entries()) {
        const grades = menu.flatMap((name) => gradeName(name, itemQuery) ?? []);
        const expected = grades.length === 0 ? undefined : GRADES[Math.min(...grades)];
        if (expected !== undefined) graded += 1;
        assert.equal(found.get(String(at)), expected, `${menu.join(' | ')} for ${typed}`);
      }
    }),
    { numRuns: runs(1500) },
  );
  assert.ok(graded > runs(300), `${graded}`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchProducts, named, prepareQuery, productIndexOf, searching } from '../../../test/given/product-index.ts';
import { anyFood, anyNeeds, statesFood } from '../../../test/oracles/food.ts';
import { expectedProducts, type OracleProduct, STEMS } from '../../../test/oracles/product-search.ts';
import { runs } from '../../../test/runs.ts';
import { claimsOf, type FoodNeeds, foodClaims } from '../../supply/catalog/food.ts';
import { MatchMarks } from './mark-matches.ts';
import { guessOf, visitMatches, wordGuessOf } from './match-products.ts';
import { IN_DELIVERY, IN_PICKUP, type RequestedMode } from './product-layout.ts';

const NO_NEEDS: FoodNeeds = { diets: [], without: [] };

/** The guesses of products that match by category alone. */
const BY_CATEGORY = [3, 12, 13];

test('matches, guesses and prices equal a linear scan’s under any dietary requirement', () => {
  const word = fc.constantFrom(...Object.keys(STEMS));
  const cents = fc.integer({ min: 0, max: 500 });
  const product = fc.record({
    name: fc.array(word, { minLength: 1, maxLength: 4 }),
    category: fc.constantFrom(['milk'], ['organic', 'berries'], ['tomatoes']),
    size: fc.oneof(fc.constant([]), fc.constantFrom(['1', 'gal'], ['12', 'oz'])),
    deliveryCents: cents,
    pickupCents: cents,
    delivered: fc.boolean(),
    pickedUp: fc.boolean(),
    food: fc.option(anyFood),
  });
  const typed = fc.oneof(
    { weight: 4, arbitrary: word },
    {
      weight: 1,
      arbitrary: fc.constantFrom('mlik', 'tomatoe', 'tomatos', 'choco', 'bluebery', 'bluberies', 'orga', 'g', 'xyz'),
    },
  );
  fc.assert(
    fc.property(
      fc.array(product, { maxLength: 12 }),
      fc.array(typed, { minLength: 1, maxLength: 4 }),
      fc.constantFrom<RequestedMode>('delivery', 'pickup', null),
      fc.oneof(fc.constant(NO_NEEDS), anyNeeds),
      (products, text, mode, needs) => {
        const numbered: OracleProduct[] = products.map((one, at) => ({ ...one, productNo: at + 1 }));
        const stating = numbered.filter((_, at) => statesFood(products[at]?.food ?? null, needs));
        const { match, byCategory } = searching(
          products.map((one) => ({
            name: one.name.join(' '),
            category: one.category.join(' '),
            size: one.size.join(' '),
            deliveryCents: one.deliveryCents,
            pickupCents: one.pickupCents,
            claims: foodClaims(one.food),
            modes: (one.delivered ? IN_DELIVERY : 0) | (one.pickedUp ? IN_PICKUP : 0),
          })),
        );
        const matches = [
          ...match(text.join(' '), null, mode, claimsOf(needs)),
          ...byCategory(text.join(' '), mode, claimsOf(needs)),
        ].map(({ productNo, priceCents, quality }) => ({ productNo, priceCents, guess: guessOf(quality) }));
        const expected = expectedProducts(stating, text, mode);
        assert.deepEqual(matches, [
          ...expected.filter(({ guess }) => !BY_CATEGORY.includes(guess)),
          ...expected.filter(({ guess }) => BY_CATEGORY.includes(guess)),
        ]);
      },
    ),
    { numRuns: runs(1000) },
  );
});

test('the head of a name counts before its ingredients', () => {
  const { names } = searching([
    { name: 'Milk Chocolate Bar', category: 'Candy' },
    { name: 'Cookies with Milk Cream', category: 'Snacks' },
    { name: 'Chocolate Milk', category: 'Milk' },
    { name: 'Milk', category: 'Dairy' },
  ]);
  assert.deepEqual(names('milk'), ['Milk', 'Chocolate Milk', 'Milk Chocolate Bar', 'Cookies with Milk Cream']);
  assert.deepEqual(names('chocolate milk'), ['Chocolate Milk', 'Milk Chocolate Bar']);
});

test('a product whose category has the head of the query outranks an ingredient', () => {
  const { names } = searching([
    { name: 'Milk Crackers Salted', category: 'Snacks' },
    { name: 'Milk Lactose Free Delight', category: 'Milk' },
  ]);
  assert.deepEqual(names('milk'), ['Milk Lactose Free Delight', 'Milk Crackers Salted']);
});

test('sugar and cheese rank before products made of them', () => {
  const { names } = searching([
    { name: 'Sugar Snap Peas', category: 'Vegetables' },
    { name: 'Sugar Cookies', category: 'Cookies' },
    { name: 'Brown Sugar Cinnamon Toaster Pastries', category: 'Breakfast' },
    { name: 'Granulated Sugar', category: 'Baking' },
    { name: 'Cheese Crackers', category: 'Snacks' },
    { name: 'Macaroni and Cheese Dinner', category: 'Pasta' },
    { name: 'Sharp Cheddar Cheese', category: 'Dairy' },
  ]);
  assert.equal(names('sugar')[0], 'Granulated Sugar');
  assert.equal(names('cheese')[0], 'Sharp Cheddar Cheese');
});

test('price decides between things, never between a thing and a dish or another kind of it', () => {
  const { names } = searching([
    { name: 'Mac and Cheese', deliveryCents: 100 },
    { name: 'Ham & Cheese', deliveryCents: 110 },
    { name: 'Cheddar Cheese', deliveryCents: 900 },
    { name: 'Swiss Cheese', deliveryCents: 800 },
    { name: 'Brown Sugar', deliveryCents: 100 },
    { name: 'Granulated Sugar', deliveryCents: 900 },
    { name: 'Fish and Chips', deliveryCents: 100 },
    { name: 'Salt and Vinegar Chips', deliveryCents: 900 },
  ]);
  assert.deepEqual(names('cheese'), ['Cheddar Cheese', 'Swiss Cheese', 'Mac and Cheese', 'Ham & Cheese']);
  assert.deepEqual(names('sugar'), ['Granulated Sugar', 'Brown Sugar']);
  assert.deepEqual(names('chips'), ['Salt and Vinegar Chips', 'Fish and Chips']);
  assert.deepEqual(names('brown sugar'), ['Brown Sugar']);
});

test('a remark in brackets has no words of the name', () => {
  const { names } = searching([
    { name: 'Banana Bread Pudding' },
    { name: 'Bananas (ripe, from Ecuador, loose)' },
    { name: 'Banana Chips' },
  ]);
  assert.deepEqual(names('banana'), ['Bananas (ripe, from Ecuador, loose)', 'Banana Bread Pudding', 'Banana Chips']);
});

test('a word may be in the category; where all are, the product matches by its category alone', () => {
  const { names, byCategory } = searching([{ name: 'Ultimate Pepperoni', category: 'Specialty Pizzas' }]);
  assert.deepEqual(names('pepperoni pizza'), ['Ultimate Pepperoni']);
  assert.deepEqual(names('pizza'), []);
  assert.deepEqual(byCategory('pepperoni pizza'), []);
  assert.equal(byCategory('pizza').length, 1);
});

test('sizes are found in the name and next to it, by any of their units', () => {
  const { names } = searching([
    { name: '2% Milk', size: '1 gal' },
    { name: 'Milk, 2%, 1 Gallon' },
    { name: 'Whole Milk 1/2 gal' },
    { name: 'Cola 12oz' },
  ]);
  assert.deepEqual(names('2% milk 1 gal'), ['2% Milk', 'Milk, 2%, 1 Gallon']);
  assert.deepEqual(names('milk gallon'), ['2% Milk', 'Milk, 2%, 1 Gallon', 'Whole Milk 1/2 gal']);
  assert.deepEqual(names('cola 12 ounces'), ['Cola 12oz']);
  assert.deepEqual(names('2% gal'), ['2% Milk', 'Milk, 2%, 1 Gallon']);
});

test('stop words never exclude, and are words where there are no others', () => {
  const { names } = searching(named('Mac & Cheese', 'Cream of Mushroom', 'Salade de la mer'));
  assert.deepEqual(names('mac and cheese'), ['Mac & Cheese']);
  assert.deepEqual(names('the cream with mushroom'), ['Cream of Mushroom']);
  assert.deepEqual(names('salade mer'), ['Salade de la mer']);
  assert.deepEqual(names('de la'), ['Salade de la mer']);
});

test('case, accents, punctuation, plurals and typos are forgiven', () => {
  const { names } = searching(named('Crème Brûlée', 'Gâteaux', "Domino's Jalapeño Poppers", 'Blueberries', 'Bananas'));
  assert.deepEqual(names('CREME brulee'), ['Crème Brûlée']);
  assert.deepEqual(names('gateau'), ['Gâteaux']);
  assert.deepEqual(names('dominos jalapeno popper'), ["Domino's Jalapeño Poppers"]);
  assert.deepEqual(names('bluebery'), ['Blueberries']);
  assert.deepEqual(names('bananna'), ['Bananas']);
});

test('no number is a typo of another number', () => {
  assert.deepEqual(searching(named('Size 2000 Battery')).names('2001 battery'), []);
});

test('a match says whether it is a guess; singular for plural is not one', () => {
  const { match } = searching(named('Tomato', 'Tomatoes', 'Tomatillo', 'Tomatto'));
  assert.deepEqual(
    match('tomato').map(({ quality }) => quality % 4),
    [0, 0, 0],
  );
  assert.deepEqual(
    match('tomato').map(({ quality }) => wordGuessOf(guessOf(quality))),
    [0, 0, 3],
  );
});

test('codes match in all their lengths, with words both must hold, and a wrong code never matches', () => {
  const { match } = searching([
    { name: 'Cola', upc: '036000291452' },
    { name: 'Cola, again', upc: '0036000291452' },
    { name: 'Cola, case', upc: '10036000291459' },
    { name: 'Cola, misprinted', upc: '036000291453' },
    { name: 'Soap', upc: '04252614' },
  ]);
  const numbers = (text: string, ...gtins: number[]) => match(text, new Set(gtins)).map(({ productNo }) => productNo);
  assert.deepEqual(numbers('', 36000291452), [1, 2]);
  assert.deepEqual(numbers('', 36000291452, 42100005264), [1, 2, 5]);
  assert.deepEqual(numbers('cola again', 36000291452), [2]);
  assert.deepEqual(numbers('soap', 36000291452), []);
});

test('many words, and words of a name beyond all bounds, are taken in', () => {
  const long = Array.from({ length: 200 }, (_, at) => `w${at}`).join(' ');
  const { names } = searching([{ name: long }, { name: 'a '.repeat(400) }]);
  assert.deepEqual(names(long), [long]);
  assert.deepEqual(names('w1 w2'), [long]);
});

test('the words of one store count up to the 100,000th: others are counted, and the rest of a name still finds it', () => {
  const words = Array.from({ length: 100_020 }, (_, at) => {
    const letters = (1000 + at)
      .toString(26)
      .replace(/./g, (digit) => 'abcdefghijklmnopqrstuvwxyz'[Number.parseInt(digit, 26)] ?? '');
    // No word is one typo away from another.
    return `q${letters}${letters}${letters}z`;
  });
  const names = Array.from({ length: words.length / 20 }, (_, at) => words.slice(20 * at, 20 * at + 20).join(' '));
  const { index, terms, unindexedWords } = productIndexOf(
    [...names, `${words[0]} unheard`].map((name) => ({ name, category: words[1] as string })),
  );
  const found = (text: string) =>
    matchProducts(index, prepareQuery(text, terms), null).map(({ productNo }) => productNo);
  assert.deepEqual(found(words[50_000] as string), [2501]);
  assert.deepEqual(found(words[100_005] as string), []);
  assert.deepEqual(found('unheard'), []);
  assert.ok(found(words[0] as string).includes(names.length + 1));
  assert.deepEqual([index.termCount, unindexedWords], [100_001, 21]);
});

test('a search that ends halfway changes nothing in the next search, with the same marks or others', () => {
  const products = ['Whole Milk', 'Milk Chocolate', 'Chocolate Milk', 'Oat Milk'].map((name) => ({
    name,
    category: 'Milk',
  }));
  const { index, terms } = productIndexOf(products);
  const query = prepareQuery('chocolate milk', terms);
  const expected = matchProducts(index, query, null);
  const marks = new MatchMarks();
  const fail = () => {
    throw new Error('no');
  };
  assert.throws(() => visitMatches(marks, index, prepareQuery('milk', terms), null, fail), /no/);
  const found: typeof expected = [];
  visitMatches(marks, index, query, null, (match) => found.push({ ...match }));
  assert.deepEqual(found, expected);
  assert.deepEqual(matchProducts(index, query, null), expected);
});

test('marks serve product indexes of any sizes one after the other', () => {
  const word = fc.constantFrom(...Object.keys(STEMS));
  const productLists = fc.array(fc.record({ name: fc.array(word, { minLength: 1, maxLength: 3 }), category: word }), {
    maxLength: 20,
  });
  const text = fc.array(word, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(productLists, text), { maxLength: 6 }), (searches) => {
      const marks = new MatchMarks(0, 0);
      for (const [products, words] of searches) {
        const { index, terms } = productIndexOf(
          products.map(({ name, category }) => ({ name: name.join(' '), category })),
        );
        const query = prepareQuery(words.join(' '), terms);
        const found: object[] = [];
        visitMatches(marks, index, query, null, (match) => found.push({ ...match }));
        assert.deepEqual(found, matchProducts(index, query, null));
      }
    }),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asking, named, shelfOf } from '../../../test/given-product-index.ts';
import { expectedProducts, type OracleProduct, STEMS } from '../../../test/oracles/product-search.ts';
import { createShelfMarks } from './mark-matches.ts';
import { eachMatch, guessOf, matchShelf, wordGuessOf } from './match-products.ts';
import { prepareQuery } from './prepare-query.ts';
import { type AskedMode, IN_DELIVERY, IN_PICKUP } from './product-layout.ts';
import { createLexicon } from './product-terms.index.ts';

test('what answers a query, how surely and at what price is what plain loops find', () => {
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
      fc.constantFrom<AskedMode>('delivery', 'pickup', null),
      (products, text, mode) => {
        const numbered: OracleProduct[] = products.map((one, at) => ({ ...one, productNo: at + 1 }));
        const { ask } = asking(
          products.map((one) => ({
            name: one.name.join(' '),
            category: one.category.join(' '),
            size: one.size.join(' '),
            deliveryCents: one.deliveryCents,
            pickupCents: one.pickupCents,
            modes: (one.delivered ? IN_DELIVERY : 0) | (one.pickedUp ? IN_PICKUP : 0),
          })),
        );
        const found = ask(text.join(' '), null, mode).map(({ productNo, priceCents, quality }) => ({
          productNo,
          priceCents,
          guess: guessOf(quality),
        }));
        assert.deepEqual(found, expectedProducts(numbered, text, mode));
      },
    ),
    { numRuns: 1000 },
  );
});

test('what a product is counts before what it is made with', () => {
  const { names } = asking([
    { name: 'Milk Chocolate Bar', category: 'Candy' },
    { name: 'Cookies with Milk Cream', category: 'Snacks' },
    { name: 'Chocolate Milk', category: 'Milk' },
    { name: 'Milk', category: 'Dairy' },
  ]);
  assert.deepEqual(names('milk'), ['Milk', 'Chocolate Milk', 'Milk Chocolate Bar', 'Cookies with Milk Cream']);
  assert.deepEqual(names('chocolate milk'), ['Chocolate Milk', 'Milk Chocolate Bar']);
});

test('a category says what a product is where its name does not', () => {
  const { names } = asking([
    { name: 'Milk Crackers Salted', category: 'Snacks' },
    { name: 'Milk Lactose Free Delight', category: 'Milk' },
  ]);
  assert.deepEqual(names('milk'), ['Milk Lactose Free Delight', 'Milk Crackers Salted']);
});

test('a remark in brackets is no word of the name', () => {
  const { names } = asking([
    { name: 'Banana Bread Pudding' },
    { name: 'Bananas (ripe, from Ecuador, loose)' },
    { name: 'Banana Chips' },
  ]);
  assert.deepEqual(names('banana'), ['Bananas (ripe, from Ecuador, loose)', 'Banana Bread Pudding', 'Banana Chips']);
});

test('a word may be in the category, but not all of them', () => {
  const { names } = asking([{ name: 'Ultimate Pepperoni', category: 'Specialty Pizzas' }]);
  assert.deepEqual(names('pepperoni pizza'), ['Ultimate Pepperoni']);
  assert.deepEqual(names('pizza'), []);
});

test('sizes are found in the name and beside it, by any of their units', () => {
  const { names } = asking([
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
  const { names } = asking(named('Mac & Cheese', 'Cream of Mushroom', 'Salade de la mer'));
  assert.deepEqual(names('mac and cheese'), ['Mac & Cheese']);
  assert.deepEqual(names('the cream with mushroom'), ['Cream of Mushroom']);
  assert.deepEqual(names('salade mer'), ['Salade de la mer']);
  assert.deepEqual(names('de la'), ['Salade de la mer']);
});

test('case, accents, punctuation, plurals and typos are forgiven', () => {
  const { names } = asking(named('Crème Brûlée', 'Gâteaux', "Domino's Jalapeño Poppers", 'Blueberries', 'Bananas'));
  assert.deepEqual(names('CREME brulee'), ['Crème Brûlée']);
  assert.deepEqual(names('gateau'), ['Gâteaux']);
  assert.deepEqual(names('dominos jalapeno popper'), ["Domino's Jalapeño Poppers"]);
  assert.deepEqual(names('bluebery'), ['Blueberries']);
  assert.deepEqual(names('bananna'), ['Bananas']);
});

test('numbers are not misread: no other number is a typo of one', () => {
  assert.deepEqual(asking(named('Size 2000 Battery')).names('2001 battery'), []);
});

test('a guess is told from what is there, and the other number from the one asked for', () => {
  const { ask } = asking(named('Tomato', 'Tomatoes', 'Tomatillo', 'Tomatto'));
  const told = ask('tomato').map(({ quality, isOtherNumber }) => [wordGuessOf(guessOf(quality)), isOtherNumber]);
  assert.deepEqual(told, [
    [0, false],
    [0, true],
    [2, false],
  ]);
});

test('codes match in all their lengths, with words both must hold, and a wrong code never matches', () => {
  const { ask } = asking([
    { name: 'Cola', upc: '036000291452' },
    { name: 'Cola, again', upc: '0036000291452' },
    { name: 'Cola, case', upc: '10036000291459' },
    { name: 'Cola, misprinted', upc: '036000291453' },
    { name: 'Soap', upc: '04252614' },
  ]);
  const numbers = (text: string, ...gtins: number[]) => ask(text, new Set(gtins)).map(({ productNo }) => productNo);
  assert.deepEqual(numbers('', 36000291452), [1, 2]);
  assert.deepEqual(numbers('', 36000291452, 42100005264), [1, 2, 5]);
  assert.deepEqual(numbers('cola again', 36000291452), [2]);
  assert.deepEqual(numbers('soap', 36000291452), []);
});

test('many words, and words of a name beyond all bounds, are taken in', () => {
  const long = Array.from({ length: 200 }, (_, at) => `w${at}`).join(' ');
  const { names } = asking([{ name: long }, { name: 'a '.repeat(400) }]);
  assert.deepEqual(names(long), [long]);
  assert.deepEqual(names('w1 w2'), [long]);
});

test('words are let go with the last shelf that has them', () => {
  const lexicon = createLexicon();
  const shelves = ['Berries', 'Berry Pie', 'Pies'].map((name) => shelfOf([{ name }], lexicon).shelf);
  assert.ok(lexicon.size > 0);
  for (const { wordIds } of shelves) for (const wordId of wordIds) lexicon.release(wordId);
  assert.equal(lexicon.size, 0);
  assert.equal(lexicon.answersTo('berries', true).wordIds.length, 0);
});

test('a search that ends halfway changes nothing in what the next one finds, with the same marks or others', () => {
  const products = ['Whole Milk', 'Milk Chocolate', 'Chocolate Milk', 'Oat Milk'].map((name) => ({
    name,
    category: 'Milk',
  }));
  const { shelf, lexicon } = shelfOf(products);
  const query = prepareQuery('chocolate milk', lexicon);
  const expected = matchShelf(shelf, query, null);
  const marks = createShelfMarks();
  const fail = () => {
    throw new Error('no');
  };
  assert.throws(() => eachMatch(marks, shelf, prepareQuery('milk', lexicon), null, fail), /no/);
  const found: typeof expected = [];
  eachMatch(marks, shelf, query, null, (match) => found.push({ ...match }));
  assert.deepEqual(found, expected);
  assert.deepEqual(matchShelf(shelf, query, null), expected);
});

test('marks serve shelves of any sizes one after the other', () => {
  const word = fc.constantFrom(...Object.keys(STEMS));
  const shelf = fc.array(fc.record({ name: fc.array(word, { minLength: 1, maxLength: 3 }), category: word }), {
    maxLength: 20,
  });
  const text = fc.array(word, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(shelf, text), { maxLength: 6 }), (searches) => {
      const marks = createShelfMarks();
      for (const [products, words] of searches) {
        const { shelf, lexicon } = shelfOf(products.map(({ name, category }) => ({ name: name.join(' '), category })));
        const query = prepareQuery(words.join(' '), lexicon);
        const found: object[] = [];
        eachMatch(marks, shelf, query, null, (match) => found.push({ ...match }));
        assert.deepEqual(found, matchShelf(shelf, query, null));
      }
    }),
  );
});

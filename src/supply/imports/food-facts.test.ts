import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { item, kitchen, offer, readJoined } from '../../../test/food-entities.ts';
import { menuOf, readStore, schemaOrgShop, soup } from '../../../test/schema-org-pages.ts';
import type { Food } from '../catalog/food.ts';
import { parseProductLine } from '../menus/parse-categories.ts';
import { readSourceFood, type SourceFood } from './food-facts.ts';
import { parseStoreLine } from './parse-store-line.ts';

const read = (stated: Partial<SourceFood>) =>
  readSourceFood({ source: 's', diets: [], allergens: [], nutrition: null, ...stated });
const amounts = (texts: Record<string, string>) => read({ nutrition: (property) => texts[property] ?? '' });
const lostOf = ({ lost }: ReturnType<typeof read>) => lost.map(({ property }) => property);

test('diets are read from types, addresses and words; diets without a word of ours are left out', () => {
  const diets = ['https://schema.org/VeganDiet', 'schema:GlutenFreeDiet', 'HALAL', 'Kosher', 'VegetarianDiet'];
  assert.deepEqual(read({ diets }).food, {
    diets: ['vegan', 'gluten_free', 'halal', 'kosher', 'vegetarian'],
    source: 's',
  });
  assert.deepEqual(read({ diets: ['LowSaltDiet', 'http://schema.org/DiabeticDiet'] }), { lost: [] });
  assert.deepEqual(lostOf(read({ diets: ['PaleoDiet'] })), ['diet']);
});

test('a group of allergens means each of them, and a list with an unreadable word is unknown', () => {
  assert.deepEqual(read({ allergens: ['DAIRY', 'TREE_NUT', 'SHELLFISH', 'Celery'] }).food, {
    allergens: ['milk', 'tree_nuts', 'crustaceans', 'molluscs'],
    source: 's',
  });
  const unreadable = read({ allergens: ['DAIRY', 'PEANTUS'] });
  assert.deepEqual([unreadable.food, lostOf(unreadable)], [undefined, ['allergen']]);
  assert.equal(read({ allergens: ['constructor'] }).food, undefined);
});

test('of a text that names several allergens none is lost, and a word with others around it is no diet', () => {
  assert.deepEqual(read({ allergens: ['Milk/Eggs', 'Fish, Soy; Wheat & Nuts', 'https://schema.org/Sesame'] }).food, {
    allergens: ['milk', 'eggs', 'fish', 'soybeans', 'wheat', 'tree_nuts', 'peanuts', 'sesame'],
    source: 's',
  });
  for (const text of ['Milk/Egsg', 'may contain: milk', 'free from: milk']) {
    const unreadable = read({ allergens: [text] });
    assert.deepEqual([unreadable.food, lostOf(unreadable)], [undefined, ['allergen']], text);
  }
  for (const text of ['not suitable for: vegan', 'vegan/vegetarian', 'non/halal']) {
    const unreadable = read({ diets: [text] });
    assert.deepEqual([unreadable.food, lostOf(unreadable)], [undefined, ['diet']], text);
  }
});

test('amounts become kilocalories and grams; ambiguous amounts are left out', () => {
  const whole = amounts({ calories: '1,240 Cal', fatContent: '9.5 g', sodiumContent: '610 mg', proteinContent: '12' });
  assert.deepEqual(whole, {
    food: { nutrition: { calories: 1240, fat: 9.5, sodium: 0.61, protein: 12 }, source: 's' },
    lost: [],
  });
  assert.deepEqual(amounts({ calories: '1000 kJ', servingSize: '1 item' }).food, {
    nutrition: { calories: 239.005736 },
    source: 's',
  });
  const wrong = { calories: '120-150 Cal', fatContent: '<1 g', sodiumContent: '610', sugarContent: '1 cup' };
  assert.deepEqual(amounts(wrong), {
    lost: ['calories', 'fatContent', 'sodiumContent', 'sugarContent'].map((name) => ({
      property: `nutrition.${name}`,
      expected: 'expected one amount with its unit; left out',
    })),
  });
  const slice = amounts({ calories: '280 Cal', servingSize: '1/8 pizza' });
  assert.deepEqual([slice.food, lostOf(slice)], [undefined, ['nutrition.servingSize']]);
});

const UNKNOWN: Food = { allergens: null, mayContain: null, diets: null, nutrition: null, source: null };

test("Google's menu items, options and add-ons keep their stated facts, and the rest stays unknown", () => {
  const facts = { suitableDiet: ['VEGAN'], nutrition: { '@type': 'NutritionInformation', calories: '90 Cal' } };
  const parsed = readJoined(kitchen(item('salad', 'mains', facts), offer('salad', '7.00')));
  assert.ok(parsed.ok);
  const foods = new Map(parsed.store.catalog.products.map(({ product }) => [product.name, product.food]));
  assert.equal(foods.get('soup'), null);
  const salad = foods.get('salad');
  assert.deepEqual([salad?.diets, salad?.nutrition?.calories, salad?.allergens], [['vegan'], 90, null]);
  const wrong = readJoined(kitchen(item('pie', 'mains', { allergen: ['Nutts'] }), offer('pie', '7.00')));
  assert.deepEqual(
    wrong.warnings.map(({ path }) => path),
    ['MenuItem pie: allergen'],
  );
});

test('a page keeps the diets and nutrition of its items and add-ons', async () => {
  const store = await readStore(
    schemaOrgShop({
      hasMenu: menuOf(
        soup({
          suitableForDiet: [{ '@id': 'https://schema.org/VegetarianDiet' }, 'https://schema.org/LowFatDiet'],
          nutrition: { '@type': 'NutritionInformation', calories: '320 calories', servingSize: '1 cup' },
          menuAddOn: soup({ name: 'Bread', suitableForDiet: 'VeganDiet' }),
        }),
      ),
    }),
  );
  const product = store.catalog.products[0]?.product;
  const stated = { ...UNKNOWN, source: 'schema-org' };
  assert.deepEqual(product?.food, { ...stated, diets: ['vegetarian'] });
  assert.deepEqual(product?.customizations[0]?.options[0]?.food, { ...stated, diets: ['vegan'] });
  assert.deepEqual(store.warnings, [
    'MenuItem Soup: nutrition.servingSize: expected the amounts of one unit, not of another serving; left out',
  ]);
});

const FEEDS = join(import.meta.dirname, '../../../../shared/data/feed');
const skip = existsSync(FEEDS) ? false : `the real feeds are not beside the repository (${FEEDS})`;
const SPOKEN = /\b(?:vegan|vegetarian|gluten[- ]free|halal|kosher|calories?)\b/i;

test('real feeds state diets only in names and descriptions, and no fact is guessed from them', { skip }, (t) => {
  const lines = (name: string): unknown[] =>
    gunzipSync(readFileSync(join(FEEDS, `${name}.ndjson.gz`)))
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const menus = ['bay-area', 'pizza', 'icecream'].flatMap(lines).flatMap((line) => {
    const parsed = parseStoreLine(line);
    return parsed.ok ? parsed.store.catalog.products.map(({ product }) => product) : [];
  });
  const market = lines('market-products').flatMap((line) => {
    const parsed = parseProductLine(line);
    return parsed.ok && parsed.product ? [parsed.product] : [];
  });
  const products = [...menus, ...market];
  const spoken = products.filter(({ name, description }) => SPOKEN.test(`${name} ${description}`));
  t.diagnostic(`${spoken.length} of ${products.length} products speak of a diet or calories; none has a field for it`);
  assert.ok(spoken.length > 0);
  assert.deepEqual(
    products.filter(({ food }) => food !== null),
    [],
  );
});

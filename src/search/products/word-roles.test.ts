import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searching } from '../../../test/given/product-index.ts';
import { AFTER_HEAD, AFTER_LIST, AND, countWordsBefore, productWordsOf } from './product-words.ts';
import {
  INGREDIENT,
  ITSELF,
  MENTION,
  type NamePhrase,
  namedCategoryOf,
  nameWordOf,
  roleOf,
  VARIANT,
} from './word-roles.ts';

function givenPhrase(name: string): NamePhrase {
  const words = productWordsOf(name);
  return {
    words: words.map(nameWordOf),
    end: countWordsBefore(AFTER_HEAD, name, words.length),
    listEnd: countWordsBefore(AFTER_LIST, name, words.length),
    andEnd: countWordsBefore(AND, name, words.length),
  };
}

function roleIn(name: string, word: string, category = ''): number {
  const at = productWordsOf(name).indexOf(word);
  return roleOf(givenPhrase(name), at, namedCategoryOf(givenPhrase(category)));
}

const ROLES = [ITSELF, VARIANT, INGREDIENT, MENTION] as const;

/** Asserts the names where a word has each role. */
function assertRoles(word: string, ...namesByRole: readonly (readonly string[])[]): void {
  for (const [at, names] of namesByRole.entries()) {
    for (const name of names) assert.equal(roleIn(name, word), ROLES[at], `${word} in ${name}`);
  }
}

test('a dish of two things is neither of them, however its "and" is written; a noun after both is the product', () => {
  const dishes = [
    'Mac and Cheese',
    'Mac & Cheese',
    "Mac 'n' Cheese",
    'Mac n Cheese',
    'Truffle Mac + Cheese',
    'Ham&Cheese',
  ];
  assertRoles('cheese', ['Cheddar Cheese', 'Sharp & Mild Cheese', 'Organic and Natural Cheese'], [], dishes);
  assertRoles(
    'chips',
    ['Salt and Vinegar Chips', 'Sour Cream & Onion Chips', 'Thick and Crispy Chips'],
    [],
    ['Fish and Chips'],
  );
  assertRoles('chicken', [], ['Sweet and Sour Chicken', 'Lemon & Herb Chicken']);
});

test('a product is distinguished from its flavors, from products made of it, and from mentions', () => {
  assertRoles(
    'milk',
    ['Milk', 'Whole Milk', '2% Milk', 'Organic Whole Milk 1 gal', 'Milk, 2%', 'Horizon Milk'],
    ['Chocolate Milk', 'Canned Milk', 'Almond Milk', 'Rice Milk'],
    ['Milk Chocolate', 'Milk Chocolate Bar', 'Milk Shake', 'Coconut Milk Soup'],
    ['Cookies with Milk', 'Cereal, Milk'],
  );
  assertRoles(
    'sugar',
    ['Sugar', 'Granulated Sugar', 'Cane Sugar'],
    ['Vanilla Sugar', 'Brown Sugar'],
    ['Sugar Cookies', 'Sugar Substitute'],
  );
  assertRoles(
    'potato',
    ['Russet Potato', 'Potato'],
    ['Sweet Potato'],
    ['Potato Chips', 'Potato/Tortilla Chips', 'Potato Salad'],
  );
  assertRoles(
    'potatoes',
    ['Potatoes Russet', 'Red Potatoes', 'Potatoes White'],
    ['Potatoes: Dried', 'Frozen Potatoes'],
    [],
  );
  assertRoles(
    'rice',
    ['White Rice', 'Basmati Rice', 'Rice - Long Grain'],
    ['Chicken Fried Rice'],
    ['Rice Cakes', 'Rice Pudding', 'Rice Noodles'],
  );
  assertRoles(
    'chicken',
    ['Whole Chicken', 'Chicken', 'Chicken Thighs', 'Boneless Chicken Breast', 'Roasted Chicken'],
    ['Garlic Chicken', 'Chicken Deluxe'],
    ['Chicken Noodle Soup', 'Chicken Salad', 'Chicken Fried Rice', 'Chicken Nuggets'],
    ['Rice with Chicken'],
  );
});

test('in lists of goods the plural is first and names the product', () => {
  assertRoles('tomatoes', ['Tomatoes Cherry', 'Roma Tomatoes']);
  assertRoles('cherry', [], [], ['Tomatoes Cherry', 'Cherry Tomatoes']);
  assertRoles('apples', ['Apples Red Delicious']);
});

test('products made of others may have any flavor', () => {
  assertRoles('soup', ['Tomato Soup', 'Soup', 'Cream of Mushroom Soup'], [], ['Soup Crackers']);
  assertRoles('mushroom', [], [], ['Cream of Mushroom', 'Cream of Mushroom Soup']);
  assertRoles('pizza', ['Cheese Pizza', 'Chicken Pizza'], [], ['Pizza Sauce']);
});

test('the category tells where the words after the thing are unknown', () => {
  assert.equal(roleIn('Milk Duds', 'milk', 'Candy'), INGREDIENT);
  assert.equal(roleIn('Milk Lactose Delight', 'milk', 'Milk'), ITSELF);
  assert.equal(roleIn('Milk Lactose Delight', 'milk', 'Dairy'), VARIANT);
  assert.equal(roleIn('Sugar', 'sugar', 'Baking Mixes'), ITSELF);
  assert.equal(roleIn('Coke Zero', 'coke', 'Drinks'), VARIANT);
});

test('product search ranks the thing itself, its flavors, products made of it, then lower prices', () => {
  const { match } = searching(
    [
      ['Milk Chocolate', 'Candy', 99],
      ['Chocolate Milk', 'Milk', 199],
      ['Whole Milk', 'Milk', 399],
      ['Fat Free Milk', 'Milk', 299],
      ['Sugar Cookies', 'Cookies', 50],
      ['Cane Sugar', 'Baking', 450],
      ['Potato Chips', 'Chips', 100],
      ['Potatoes Russet', 'Produce', 500],
      ['Rice Cakes', 'Snacks', 100],
      ['Long Grain Rice', 'Rice', 300],
      ['Chicken Soup', 'Soup', 150],
      ['Whole Chicken', 'Meat', 900],
    ].map(([name, category, deliveryCents]) => ({
      name: name as string,
      category: category as string,
      deliveryCents: deliveryCents as number,
    })),
  );
  const numbers = (text: string) =>
    match(text)
      .sort((a, b) => a.quality - b.quality || a.priceCents - b.priceCents)
      .map(({ productNo }) => productNo);
  assert.deepEqual(numbers('milk'), [4, 3, 2, 1]);
  assert.deepEqual(numbers('chocolate milk'), [2, 1]);
  assert.deepEqual(numbers('sugar'), [6, 5]);
  assert.deepEqual(numbers('potato'), [8, 7]);
  assert.deepEqual(numbers('rice'), [10, 9]);
  assert.deepEqual(numbers('chicken'), [12, 11]);
});

test('any name has roles, and an adjective or a brand before it changes none', () => {
  const word = fc.constantFrom(...'milk chocolate chips potatoes of with 12 oz fresh zorp rice'.split(' '));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.array(word, { maxLength: 3 }), (name, category) => {
      const [plain, branded] = [givenPhrase(name.join(' ')), givenPhrase(`Zorpco Organic ${name.join(' ')}`)];
      const named = namedCategoryOf(givenPhrase(category.join(' ')));
      // A separator at the very start of a name does not count, and a brand in front would shift it.
      fc.pre(branded.end === plain.end + 2);
      for (const at of plain.words.keys()) {
        const role = roleOf(plain, at, named);
        assert.ok(ROLES.includes(role as 0));
        assert.equal(roleOf(branded, at + 2, named), role);
      }
    }),
  );
});

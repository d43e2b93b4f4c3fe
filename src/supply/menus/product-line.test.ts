import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCategoryTree, parseProductLine } from './parse-categories.ts';

test('a product line needs a path of names and every rule of a product', () => {
  const productFaults = (value: unknown) => {
    const parsed = parseProductLine(value);
    return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`);
  };
  const product = { id: 'm', name: 'Milk', price: 199 };
  assert.deepEqual(productFaults({ ...product, path: ['Dairy', ' Milk '] }), []);
  for (const path of [undefined, null, []]) {
    assert.deepEqual(productFaults({ ...product, path }), ['path: missing or empty; give it a value']);
  }
  assert.deepEqual(productFaults({ path: ['Dairy', ' '], id: 'm', name: 'Milk' }), [
    'path[1]: expected text of 1 to 500 characters',
    'price: expected present',
  ]);
  assert.deepEqual(productFaults('milk'), [': expected an object']);
});

test('a bar code written as a number keeps its digits; a number with more digits than JSON carries is a fault', () => {
  const read = (upc: string) =>
    parseProductLine(JSON.parse(`{ "id": "m", "name": "Milk", "price": 199, "path": ["Dairy"], "upc_code": ${upc} }`));
  const exact = read('96385074123456');
  assert.equal(exact.ok && exact.product?.upcCode, '96385074123456');
  for (const lost of ['12345678901234567890', '1e400']) {
    const parsed = read(lost);
    assert.deepEqual(parsed.ok ? parsed.product : parsed.faults, [{ path: 'upc_code', message: 'expected text' }]);
  }
});

test('a line whose price is no amount is left out with a warning', () => {
  for (const price of ['Market Price', 32.970000000000006]) {
    const parsed = parseProductLine({ id: 'm', name: 'Milk', price, path: ['Dairy'] });
    assert.deepEqual([parsed.ok && parsed.product, parsed.warnings.map(({ path }) => path)], [null, ['price']]);
  }
});

test('categories keep their first-seen order, and products keep the file’s order', () => {
  const tree = createCategoryTree();
  const places = [['Dairy', 'Milk'], ['Bread'], ['Dairy', 'Eggs'], ['Dairy', 'Milk']].map((path) => tree.place(path));
  assert.deepEqual(
    places.map((place) => ('position' in place ? place.position : place.fault)),
    [0, 0, 0, 1],
  );
  const drawn = tree.categories().map(({ name, position, parentId, isLeaf }) => [name, position, parentId, isLeaf]);
  assert.deepEqual(drawn, [
    ['Dairy', 0, null, false],
    ['Milk', 0, '["Dairy"]', true],
    ['Bread', 1, null, true],
    ['Eggs', 1, '["Dairy"]', true],
  ]);
});

test('a category of a path has sub-categories or products, not both', () => {
  const tree = createCategoryTree();
  tree.place(['Dairy', 'Milk']);
  assert.deepEqual(tree.place(['Dairy']), { fault: 'expected a category without sub-categories' });
  assert.deepEqual(tree.place(['Dairy', 'Milk', 'Whole']), {
    fault: 'expected a category without products above its own',
  });
});

test('a barcode gets its lost leading zeros back, as a number and as text', () => {
  const codeOf = (upc_code: unknown) => {
    const parsed = parseProductLine({ id: 'm', name: 'Milk', price: 199, path: ['Dairy'], upc_code });
    return parsed.ok && parsed.product?.upcCode;
  };
  fc.assert(
    fc.property(fc.integer({ min: 10_000_000, max: 9_999_999_999 }), (digits) => {
      const body = String(digits).padStart(11, '0');
      const sum = [...body].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
      const whole = `${body}${(10 - (sum % 10)) % 10}`;
      for (const lost of [Number(whole), String(Number(whole)), whole]) assert.equal(codeOf(lost), whole);
    }),
  );
  assert.equal(codeOf('123456789'), '123456789', 'a code of the source itself');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../../platform/http/refusal.ts';
import { MAX_CART_LINES, MAX_CART_QUERY_LENGTH, parseCartQuery } from './parse-cart-query.ts';

/** The query's errors as the response words them. */
function queryFaults(text: string): string[] {
  try {
    parseCartQuery(text);
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'invalid_request');
    const faults = error.extras.errors ?? [];
    assert.ok(faults.every(({ in: place, name }) => place === 'query' && name === 'query'));
    return faults.map(({ message }) => message);
  }
  return [];
}

test('a cart is read line by line, each query as it was sent', () => {
  assert.deepEqual(parseCartQuery('{"Whole  Milk":2,"crème fraîche":1,"036000291452":99}'), [
    { query: 'Whole  Milk', gtin: null, amount: { count: 2 } },
    { query: 'crème fraîche', gtin: null, amount: { count: 1 } },
    { query: '036000291452', gtin: 36000291452, amount: { count: 99 } },
  ]);
  assert.deepEqual(parseCartQuery('{"constructor":1,"toString":1}').length, 2);
});

test('anything but a JSON object of texts and quantities is refused with the expected shape', () => {
  for (const text of ['', 'milk', '{', '[]', '["milk"]', '"milk"', '1', 'null', 'true', '{"milk":1}x', "{'milk':1}"]) {
    assert.match(queryFaults(text)[0] ?? '', /^must be a JSON object/, text);
  }
});

test('a cart has 1 to 20 lines and is not longer than a request can carry', () => {
  const givenCart = (count: number) =>
    JSON.stringify(Object.fromEntries([...Array(count).keys()].map((n) => [`p${n}`, 1])));
  assert.deepEqual(queryFaults(givenCart(MAX_CART_LINES)), []);
  assert.deepEqual(queryFaults(givenCart(MAX_CART_LINES + 1)), ['must have at most 20 lines']);
  assert.deepEqual(queryFaults('{}'), ['must have at least one line']);
  assert.deepEqual(queryFaults(`{"milk":1${' '.repeat(MAX_CART_QUERY_LENGTH)}}`), [
    'must have at most 8000 characters',
  ]);
});

test('every wrong quantity and every empty text is named at once', () => {
  const wrong = ['0', '-1', '1.5', '100', '1e300', '1e999', '"2"', 'null', 'true', '{}', '[1]'];
  for (const quantity of wrong) {
    assert.deepEqual(
      queryFaults(`{"milk":${quantity}}`),
      ['line "milk" must have a whole quantity from 1 to 99, or an amount such as "1.5 lb"'],
      quantity,
    );
  }
  assert.deepEqual(queryFaults('{"":1,"!?":1,"milk":0}'), [
    'line "" must have a letter or a digit',
    'line "!?" must have a letter or a digit',
    'line "milk" must have a whole quantity from 1 to 99, or an amount such as "1.5 lb"',
  ]);
});

test('two lines that ask for the same are refused, though a parser would keep only the last', () => {
  assert.deepEqual(queryFaults('{"milk":1,"eggs":1,"milk":2}'), ['line "milk" was given more than once']);
  assert.deepEqual(queryFaults('{"milk":1,"m\\u0069lk":2}'), ['line "milk" was given more than once']);
  assert.deepEqual(queryFaults('{"Crème Fraîche":1,"creme-fraiche":2}'), [
    'line "creme-fraiche" asks for the same as line "Crème Fraîche"',
  ]);
  assert.deepEqual(queryFaults('{"a\\":1,\\"b":1,"milk":1}'), []);
  assert.deepEqual(queryFaults('{"milk":"1 lb","milk":2}'), ['line "milk" was given more than once']);
  assert.deepEqual(queryFaults('{"a":"1 lb","1 lb":"2 lb","b":2}'), []);
});

test('a code of 8, 12, 13 or 14 digits with the right check digit is a UPC, any other text is words', () => {
  const gtins = (...queries: string[]) => {
    const cart = JSON.stringify(Object.fromEntries(queries.map((query) => [query, 1])));
    return parseCartQuery(cart).map(({ query, gtin }) => [query, gtin]);
  };
  assert.deepEqual(gtins('036000291452', '036000291453', '0360002914521'), [
    ['036000291452', 36000291452],
    ['036000291453', null],
    ['0360002914521', null],
  ]);
  assert.deepEqual(queryFaults('{"036000291452":1,"0036000291452":1}'), [
    'line "0036000291452" asks for the same as line "036000291452"',
  ]);
});

test('texts that no answer can hold are refused: NULs, lone surrogates, __proto__, too long', () => {
  assert.deepEqual(queryFaults('{"mi\\u0000lk":1}'), ['line "mi\\u0000lk" must not contain NUL characters']);
  assert.deepEqual(queryFaults('{"milk\\ud800":1}'), ['line "milk\ufffd" must be well-formed Unicode']);
  assert.deepEqual(queryFaults('{"__proto__":1}'), ['line "__proto__" is no product query']);
  const long = 'm'.repeat(513);
  assert.deepEqual(queryFaults(`{"${long}":1}`), [`line "${'m'.repeat(60)}…" must have at most 512 characters`]);
});

test('any text is read or refused, and every line read has words and a whole quantity', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.dictionary(fc.string(), fc.integer()).map((o) => JSON.stringify(o)),
      ),
      (text) => {
        if (queryFaults(text).length > 0) return;
        for (const { query, amount } of parseCartQuery(text)) {
          assert.ok(/[\p{L}\p{N}]/u.test(query));
          if ('size' in amount) assert.ok(amount.size > 0);
          else assert.ok(Number.isInteger(amount.count) && amount.count >= 1 && amount.count <= 99);
        }
      },
    ),
  );
});

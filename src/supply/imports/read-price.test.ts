import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { currencyFault, readPrice } from './read-price.ts';

test('every amount of cents reads as itself, as a number and in every way it is written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
      const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      const grouped = text.replace(/\B(?=(\d{3})+\.)/g, ',');
      const written = [text, `$${text}`, ` ${text} USD `, `US$ ${text}`, `USD${grouped}`, `$${grouped}`, `${text}000`];
      for (const one of [...written, Number(text)])
        assert.deepEqual(readPrice(one, 'US'), { ok: true, cents }, `${one}`);
    }),
  );
});

test('a sum of binary fractions reads as the cents that it is nearest to', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 2, maxLength: 20 }), (parts) => {
      const cents = parts.reduce((sum, part) => sum + part, 0);
      const dollars = parts.reduce((sum, part) => sum + part / 100, 0);
      assert.deepEqual(readPrice(dollars, 'US'), { ok: true, cents });
      assert.deepEqual(readPrice(String(dollars), 'US'), { ok: true, cents });
    }),
  );
  assert.deepEqual(readPrice(32.970000000000006, 'US'), { ok: true, cents: 3297 });
});

test('amounts that aren’t whole cents of the country’s currency are rejected with the expected form', () => {
  const cases: [unknown, RegExp][] = [
    ['', /a price/],
    [null, /a price/],
    [true, /a price/],
    [[1], /a price/],
    [-1, /at least 0/],
    ['-12.50', /at least 0/],
    ['$-1', /at least 0/],
    ['10-15', /not a range/],
    ['10.00 to 15.00', /not a range/],
    ['$10 – $15', /not a range/],
    ['market price', /such as 12\.50/],
    ['12,50', /such as 12\.50/],
    ['1.250,00', /such as 12\.50/],
    ['.', /such as 12\.50/],
    ['€12', /such as 12\.50/],
    ['1e3', /such as 12\.50/],
    [1e30, /such as 12\.50/],
    [1e-9, /such as|whole cents|range|at least/],
    ['9.999', /whole cents/],
    [0.125, /whole cents/],
    ['9.00001', /whole cents/],
    ['1000000.01', /at most/],
    ['CA$5', /in USD/],
    ['5 CAD', /in USD/],
    ['1'.repeat(100_000), /a price/],
  ];
  for (const [value, expected] of cases) {
    const read = readPrice(value, 'US');
    assert.match(read.ok ? 'ok' : read.expected, expected, String(value).slice(0, 40));
  }
});

test('a bare dollar is the one of the country, and Canada has its own', () => {
  assert.deepEqual(readPrice('$5', 'CA'), { ok: true, cents: 500 });
  assert.deepEqual(readPrice('C$5.5', 'CA'), { ok: true, cents: 550 });
  assert.equal(readPrice('US$5', 'CA').ok, false);
  assert.equal(currencyFault(undefined, 'CA'), null);
  assert.equal(currencyFault(' cad ', 'CA'), null);
  for (const mark of ['$', 'CA$', 'C$', ' $ ']) assert.equal(currencyFault(mark, 'CA'), null, mark);
  for (const mark of ['$', 'US$', 'usd']) assert.equal(currencyFault(mark, 'US'), null, mark);
  for (const mark of ['US$', '€', 5, {}]) assert.ok(currencyFault(mark, 'CA'), String(mark));
  assert.match(currencyFault('USD', 'CA') ?? '', /in CAD, not "USD"/);
});

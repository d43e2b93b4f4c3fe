import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Country } from '../stores/store.ts';
import { salesTaxPercentOf } from './sales-tax-table.ts';

const US_CODES =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR GU VI AS MP';
const UNTAXED = 'AK DE MT NH OR GU VI AS MP'.split(' ');

test('every state, the District and the territories have a rate, zero only where no sales tax is levied', () => {
  const codes = US_CODES.split(' ');
  assert.equal(codes.length, 56);
  for (const code of codes) {
    const percent = salesTaxPercentOf('US', code);
    assert.equal(percent === 0, UNTAXED.includes(code), code);
    assert.ok(percent < 11, code);
  }
});

test('every province and territory has the federal and its own tax', () => {
  const expected = {
    AB: 5,
    BC: 12,
    MB: 12,
    NB: 15,
    NL: 15,
    NS: 14,
    NT: 5,
    NU: 5,
    ON: 13,
    PE: 15,
    QC: 14.975,
    SK: 11,
    YT: 5,
  };
  for (const [code, percent] of Object.entries(expected)) assert.equal(salesTaxPercentOf('CA', code), percent, code);
});

test('a rate is found by code or name, in any case, with accents and punctuation', () => {
  const known: [Country, string, number][] = [
    ['US', 'NY', 4],
    ['US', 'n.y.', 4],
    ['US', ' new  york ', 4],
    ['US', 'CALIFORNIA', 7.25],
    ['US', 'Washington', 6.5],
    ['US', 'Washington, D.C.', 6],
    ['US', 'Puerto Rico', 10.5],
    ['CA', 'Québec', 14.975],
    ['CA', 'quebec', 14.975],
    ['CA', 'Newfoundland & Labrador', 15],
    ['CA', 'Newfoundland and Labrador', 15],
    ['CA', 'Nova-Scotia', 14],
  ];
  for (const [country, state, percent] of known) assert.equal(salesTaxPercentOf(country, state), percent, state);
});

test('a state of the other country, or of none, has no rate', () => {
  for (const state of ['ON', 'Ontario', '', '??', 'constructor'])
    assert.equal(salesTaxPercentOf('US', state), 0, state);
  assert.equal(salesTaxPercentOf('CA', 'NY'), 0);
});

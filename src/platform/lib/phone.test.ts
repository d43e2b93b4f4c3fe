import assert from 'node:assert/strict';
import { test } from 'node:test';
import { e164Of, parsePhone, phoneInWords } from './phone.ts';

test('ten digits are a number of the US or Canada, others begin with their country code', () => {
  assert.deepEqual([2125550199, 12125550199, 442071838750, 1712345678].map(e164Of), [
    '+12125550199',
    '+12125550199',
    '+442071838750',
    '+1712345678',
  ]);
  assert.deepEqual([12125550199, 442071838750].map(phoneInWords), ['(212) 555-0199', '+442071838750']);
});

test('a phone is read from its digits, or as people write it', () => {
  for (const phone of [13125550123, '13125550123', '+1 312-555-0123', ' +1 (312) 555.0123 ']) {
    assert.equal(parsePhone(phone), 13125550123, String(phone));
  }
  assert.equal(parsePhone('+44 (0)20 7183 8750'), 442071838750);
  for (const phone of ['', '+', '5550123x', '03125550123', 999_999, 1e15, 1.5, -13125550123, '555', null, {}]) {
    assert.equal(parsePhone(phone), undefined, String(phone));
  }
});

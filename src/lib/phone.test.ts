import assert from 'node:assert/strict';
import { test } from 'node:test';
import { e164Of, phoneInWords } from './phone.ts';

test('ten digits are a number of the US or Canada, others begin with their country code', () => {
  assert.deepEqual([2125550199, 12125550199, 442071838750, 1712345678].map(e164Of), [
    '+12125550199',
    '+12125550199',
    '+442071838750',
    '+1712345678',
  ]);
  assert.deepEqual([12125550199, 442071838750].map(phoneInWords), ['(212) 555-0199', '+442071838750']);
});

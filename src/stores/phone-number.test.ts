import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phoneNumberOf } from './phone-number.ts';

test('a phone number of any usual form is its digits with the country code; a text without a valid number is null', () => {
  for (const text of [
    '2125550123',
    '(212) 555-0123',
    '212.555.0123',
    '1-212-555-0123',
    '+1 212 555 0123',
    '212 555 0123 x12',
  ])
    assert.equal(phoneNumberOf(text, 'US'), 12125550123, text);
  assert.equal(phoneNumberOf('416 555 0123', 'CA'), 14165550123);
  assert.equal(phoneNumberOf('+44 20 7946 0958', 'US'), 442079460958);
  for (const text of ['', 'call us', '555-0123', '100 555 0123', '21255501234567'])
    assert.equal(phoneNumberOf(text, 'US'), null, text);
});

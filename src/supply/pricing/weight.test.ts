import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Format } from '../../platform/languages/format.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { readMilli, typedWeight } from './weight.ts';

test('a weight that is typed with the sign of any language is read as the same weight', () => {
  for (const language of LANGUAGES) {
    const { decimalSign } = new Format(language, 'CA');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (milli) => {
        const typed = ` ${Math.floor(milli / 1000)}${decimalSign}${String(milli % 1000).padStart(3, '0')}`;
        assert.equal(readMilli(typedWeight(typed)), milli);
      }),
    );
  }
  for (const wrong of ['', ',', '1,2,3', '1,2345', '1,5 lb', '-1'])
    assert.equal(readMilli(typedWeight(wrong)), undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedLanguage, parseLanguage } from './language.ts';

test('a BCP 47 tag is read by its language, whatever its region, script or letter case', () => {
  for (const [tag, language] of [
    ['en', 'en'],
    ['en-US', 'en'],
    ['fr-CA', 'fr'],
    ['FR', 'fr'],
    ['es-MX', 'es'],
    ['es-419', 'es'],
    ['fr-Latn-CA', 'fr'],
    ['de', undefined],
    ['zh-Hans', undefined],
    ['', undefined],
    ['english', undefined],
    ['en_US', undefined],
    ['fr-', undefined],
    ['fr-CA\n', undefined],
    [`fr-${'a-'.repeat(40)}a`, undefined],
    [null, undefined],
    [undefined, undefined],
  ] as const) {
    assert.equal(parseLanguage(tag), language, String(tag));
  }
});

test('Accept-Language: the language of the highest quality that there is, the first among equals', () => {
  for (const [header, language] of [
    ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
    ['en;q=0.5, es;q=0.9', 'es'],
    ['de-DE,de;q=0.9,en-US;q=0.3', 'en'],
    ['fr;q=0, en;q=0.1', 'en'],
    ['es , fr', 'es'],
    ['fr ; q=0.8 , es ; q=0.801', 'es'],
    ['*', undefined],
    ['de, *;q=0.5', undefined],
    ['fr;q=0', undefined],
    ['fr;q=2, es;q=0.1', 'es'],
    ['fr;q=abc', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    assert.equal(acceptedLanguage(header), language, String(header));
  }
});

test('a hostile Accept-Language is read as far as any browser writes, and never fails', () => {
  assert.equal(acceptedLanguage(`${'de,'.repeat(40)}fr`), undefined);
  assert.equal(acceptedLanguage(`fr,${'x'.repeat(1e6)}`), 'fr');
  assert.equal(acceptedLanguage(`fr${' '.repeat(1e5)};q=1`), 'fr');
  assert.equal(acceptedLanguage('__proto__,constructor;q=1,\u0000'), undefined);
});

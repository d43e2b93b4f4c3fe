import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLdScripts } from './documents.ts';

const texts = (html: string) => jsonLdScripts(html).map(({ text }) => text);

test('every block of JSON-LD is found, however its tag is written, with its line', () => {
  const page = [
    '<!doctype html><html><head>',
    '<script type="application/ld+json">{"a":1}</script>',
    "<SCRIPT data-x='>' async TYPE = 'application/ld+json; charset=utf-8'>\n{\"b\":2}\n</SCRIPT >",
    '<script type=application/ld+json>//<![CDATA[\n{"c":"<b>"}\n//]]></script>',
    '<script type="application/ld+json"><!--\n{"d":4}\n--></script>',
    '<svg><script type="application&#x2f;ld+json" type=text/plain />{"e":"</scripts>"}</script></svg>',
    '<!--><script type="application/ld+json">{"f":6}</script>-->',
  ].join('\n');
  assert.deepEqual(
    jsonLdScripts(page).map(({ line, text }) => [line, text.trim()]),
    [
      [2, '{"a":1}'],
      [3, '{"b":2}'],
      [6, '{"c":"<b>"}'],
      [9, '{"d":4}'],
      [12, '{"e":"</scripts>"}'],
      [13, '{"f":6}'],
    ],
  );
});

test('only executable content counts as a script', () => {
  const block = '<script type="application/ld+json">{}</script>';
  for (const page of [
    `<!-- ${block} -->`,
    `<style>${block}</style>`,
    `<textarea>${block}</textarea>`,
    `<title>${block}</title>`,
    `<script>var x = '${block.replace('</script>', '')}'</script>`,
    '<script type="application/json">{}</script>',
    '<script type="application/ld+jsonp">{}</script>',
    '<scripts type="application/ld+json">{}</scripts>',
    `<xmp>${block}</xmp>`,
    `<plaintext>${block}`,
    `<a title='${block}'>`,
    `<script type=text/plain type="application/ld+json">{}</script>`,
    `<!-- never closed ${block}`,
    '',
    '<',
    '<script',
    '<script type="application/ld+json"',
  ]) {
    assert.deepEqual(texts(page), [], page);
  }
  assert.deepEqual(texts('<script type="application/ld+json">{"cut": '), ['{"cut":']);
});

test('hostile pages take time by their length only, and blocks are bounded', () => {
  const size = 200_000;
  for (const part of [
    '<script',
    '<!--',
    "<script a='",
    '<script a="',
    '<',
    '<style>',
    '<script type=',
    '<script>',
    '</script',
    '<script x=y ',
    '<b>',
    '<b></x>',
    '<svg></b>',
    '<form>',
    '<p a=&amp;&#',
    '&#x',
    '<![CDATA[',
    '<!d',
    '</',
  ]) {
    assert.deepEqual(texts(part.repeat(size)), [], part);
  }
  for (const space of [' ', '/', 'a ', '" ']) {
    for (const end of ['', '>', '"']) assert.deepEqual(texts(`<script a${space.repeat(size)}${end}`), [], space);
  }
  assert.equal(texts('<script type="application/ld+json">{}</script>'.repeat(1500)).length, 1000);
});

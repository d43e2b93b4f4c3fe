import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMarkup } from 'doorstep/html';
import type { Schema } from './api-document.ts';
import { showMembers, showShape, showType } from './show-schema.ts';

const shownType = (schema: Schema) => toMarkup(showType(schema)).replace(/<[^>]+>/g, '');
const member = (schema: Schema) => toMarkup(showMembers([{ name: 'x', schema, isRequired: true }]));

test('a type lists its possible values', () => {
  for (const [schema, expected] of [
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
    [{ anyOf: [{ type: 'string' }, { type: 'string', format: 'uri' }] }, 'string or string (uri)'],
    [{ anyOf: [{ $ref: '#/components/schemas/Order' }, { type: 'null' }] }, 'Order or null'],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'string'],
    [{ type: 'array', items: { type: 'integer' } }, 'list of integer'],
    [{ anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, 'one of several'],
    [{}, 'any value'],
  ] as const) {
    assert.equal(shownType(schema), expected, JSON.stringify(schema));
  }
});

test('a schema with a name is a link, and a plain value has no shape', () => {
  assert.match(toMarkup(showType({ $ref: '#/components/schemas/Order' })), /href="\?tag=Schemas#schema-Order"/);
  assert.equal(showShape({ anyOf: [{ type: 'string' }, { type: 'null' }] }), undefined);
  assert.equal(showShape({ type: 'array', items: { type: 'string' } }), undefined);
});

test('an object that may be null shows its members, and variants with members are a list', () => {
  const nullable = showShape({ anyOf: [{ properties: { a: { type: 'string' } } }, { type: 'null' }] });
  assert.match(nullable ? toMarkup(nullable) : '', /^<dl class="members"><div><dt><code>a</);
  const variants = showShape({ oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] });
  assert.equal((variants ? toMarkup(variants) : '').match(/<li>/g)?.length, 2);
});

test('bounds are said in words, of a value that may be null too', () => {
  assert.match(member({ type: 'integer', minimum: 1, maximum: 99 }), /1 to 99\./);
  assert.match(member({ type: 'string', maxLength: 64 }), /At most 64 characters\./);
  assert.match(member({ type: 'array', minItems: 1 }), /At least 1 entry\./);
  assert.match(
    member({ type: 'string', enum: ['live', 'sandbox'] }),
    /One of <code>live<\/code>, <code>sandbox<\/code>/,
  );
  assert.match(member({ anyOf: [{ type: 'string', maxLength: 7 }, { type: 'null' }] }), /At most 7 characters\./);
  assert.match(member({ type: 'boolean', default: false }), /Default <code>false<\/code>/);
});

test('words of a description are text, whatever they hold', () => {
  const shown = member({
    type: 'string',
    description: '<script>x</script> [a](javascript:x) `b` [c](https://d.example/)',
  });
  assert.doesNotMatch(shown, /<script|javascript:/);
  assert.match(shown, /&lt;script&gt;.*<code>b<\/code> <a href="https:\/\/d\.example\/">c<\/a>/);
});

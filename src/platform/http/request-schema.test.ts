import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import Format from 'typebox/format';
import { compileRequestPart, EMAIL } from './request-schema.ts';

const parse = compileRequestPart(
  Type.Object({
    email: EMAIL,
    name: Type.String({ minLength: 1, maxLength: 3 }),
    list: Type.Array(Type.Integer({ minimum: 1, maximum: 9 }), { minItems: 1, maxItems: 2 }),
    kind: Type.Enum(['a', 'b']),
    flag: Type.Boolean(),
  }),
  'body',
);

function detailOf(data: unknown): string {
  const parsed = parse(data);
  return 'error' in parsed ? parsed.error.message : 'good';
}

const good = { email: 'ann@example.com', name: 'Ann', list: [1], kind: 'a', flag: true };

test('one message describes every invalid field', () => {
  const wrong = { email: 'ann', name: '', list: [], kind: 'c', flag: 1 };
  assert.equal(
    detailOf(wrong),
    'email must be an email address; name must not be empty; list must not be empty; kind must be one of a, b; flag must be true or false.',
  );
  assert.equal(
    detailOf({ ...good, name: 'Anna', list: [0, 1.5] }),
    'name must have at most 3 characters; list[0] must be at least 1; list[1] must be a whole number.',
  );
  assert.equal(detailOf({ ...good, list: [0, 10, 1.5] }), 'list must have at most 2 items.');
  assert.equal(detailOf({ ...good, name: 5, list: 'x' }), 'name must be a string; list must be a list.');
});

test('no item of a list with too many is checked, wherever the list is', () => {
  let checks = 0;
  const item = Type.Refine(
    Type.Object({ a: Type.Integer() }),
    () => {
      checks += 1;
      return false;
    },
    () => 'never',
  );
  const list = Type.Array(item, { maxItems: 3, uniqueItems: true });
  const nested = Type.Array(Type.Object({ list: Type.Optional(list) }), { maxItems: 2 });
  const schema = Type.Object({
    list: Type.Optional(list),
    nested: Type.Optional(nested),
    union: Type.Optional(Type.Union([Type.Null(), list])),
    both: Type.Optional(Type.Intersect([Type.Object({ list }), Type.Object({ other: Type.Optional(Type.String()) })])),
  });
  const parseLists = compileRequestPart(schema, 'body');
  const many = Array.from({ length: 20_000 }, () => ({ a: 'x' }));
  const messageOf = (data: object) => {
    const parsed = parseLists(data);
    return 'error' in parsed && parsed.error.message;
  };
  for (const [name, data] of [
    ['list', { list: many }],
    ['nested', { nested: many }],
    ['nested[0].list', { nested: [{ list: many }] }],
    ['union', { union: many }],
    ['both.list', { both: { list: many } }],
  ] as const) {
    const message = messageOf(data);
    assert.match(String(message), new RegExp(`^${name.replaceAll(/[[\\].]/g, '\\$&')} must have at most \\d items`));
    assert.doesNotMatch(String(message), /\[19999\]|whole number/, name);
  }
  assert.equal(checks, 0);
  assert.equal(messageOf({ list: [{ a: 'x' }] }), 'list[0].a must be a whole number.');
});

test('of a value that may be null, the message says what else it may be', () => {
  const orders = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]);
  const range = Type.Union([Type.Object({ from: Type.Integer(), to: orders }), Type.Null()]);
  const parseNullable = compileRequestPart(Type.Object({ orders, ranges: Type.Array(range) }), 'body');
  const messageOf = (data: object) => {
    const parsed = parseNullable(data);
    return 'error' in parsed && parsed.error.message;
  };
  assert.equal(messageOf({ orders: 0, ranges: [] }), 'orders must be at least 1.');
  assert.equal(messageOf({ orders: 'x', ranges: [null] }), 'orders must be a whole number.');
  const ranges = [{ from: 'x', to: 0 }, 5];
  assert.equal(
    messageOf({ orders: null, ranges }),
    'ranges[0].from must be a whole number; ranges[0].to must be at least 1; ranges[1] must be an object.',
  );
});

test('a boolean of a query is true or false in any letter case, and nothing else', () => {
  const parse = compileRequestPart(Type.Object({ flag: Type.Boolean() }), 'query');
  for (const text of ['true', 'TRUE', 'tRuE']) assert.deepEqual(parse({ flag: text }), { value: { flag: true } });
  assert.deepEqual(parse({ flag: 'False' }), { value: { flag: false } });
  for (const flag of ['1', '0', 'yes', 'no', 'on', 't', 'truee', ' true', 'true ', 'null']) {
    const parsed = parse({ flag });
    assert.equal('error' in parsed && parsed.error.message, 'flag must be true or false.', flag);
  }
});

test('a field required by others is required once they are given', () => {
  const sides = ['north', 'south', 'east'];
  const side = Type.Optional(Type.Number());
  const parseBox = compileRequestPart(
    Type.Object(
      { north: side, south: side, east: side },
      { dependentRequired: Object.fromEntries(sides.map((name) => [name, sides.filter((other) => other !== name)])) },
    ),
    'query',
  );
  const boxMessage = (data: unknown) => {
    const parsed = parseBox(data);
    return 'error' in parsed && parsed.error.message;
  };
  assert.equal(boxMessage({ north: '1' }), 'south is required with north; east is required with north.');
  assert.equal(boxMessage({ north: '1', south: '0' }), 'east is required with north and south.');
});

test('null is a value of a field of the body whose type names it, and absent elsewhere', () => {
  const count = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 });
  const parseCount = compileRequestPart(
    Type.Object({ count: Type.Optional(count), in: Type.Optional(Type.Object({ count: Type.Optional(count) })) }),
    'body',
  );
  assert.deepEqual(parseCount({ count: null, in: { count: null } }), { value: { count: null, in: {} } });
  assert.deepEqual(parseCount({ in: null }), { value: {} });
  const url = Type.Union([Type.String(), Type.Null()]);
  assert.deepEqual(compileRequestPart(Type.Object({ url }), 'body')({ url: null }), { value: { url: null } });
  const parsed = parseCount({ count: 'x' });
  assert.equal('error' in parsed && parsed.error.message, 'count must be a whole number or null.');
});

test('an absent or null field is required, and nothing else', () => {
  const { flag: _flag, ...rest } = good;
  assert.equal(detailOf({ ...rest, name: null }), 'name is required; flag is required.');
});

test('no format, pattern or refinement runs on a text beyond its maxLength, nor beyond 2,000 characters without one', () => {
  const lengths: number[] = [];
  const check = (text: string) => lengths.push(text.length) > 0;
  Format.Set('measured', check);
  const bounded = Type.String({ maxLength: 3, format: 'measured' });
  const parseTexts = compileRequestPart(
    Type.Object({
      a: Type.Optional(
        Type.Refine(
          bounded,
          (text) => check(text),
          () => 'never',
        ),
      ),
      b: Type.Array(Type.Union([Type.Null(), Type.Object({ c: bounded })])),
      code: Type.Optional(Type.String({ maxLength: 3, pattern: '^x*$' })),
    }),
    'body',
  );
  const parsed = parseTexts({ a: 'long', b: [{ c: 'longer' }], code: 'yyyy' });
  assert.ok('error' in parsed);
  assert.match(parsed.error.message, /^a must have at most 3 characters;.*; code must have at most 3 characters\.$/);
  assert.deepEqual(lengths, []);
  assert.ok('error' in parseTexts({ a: 'abc', b: [{ c: 'ab' }], code: 'y' }));
  assert.ok(lengths.length > 2 && Math.max(...lengths) === 3);
  const parseList = compileRequestPart(Type.Object({ list: Type.Array(Type.String({ format: 'measured' })) }), 'body');
  const long = parseList({ list: ['x'.repeat(2000), 'x'.repeat(2001)] });
  assert.equal('error' in long && long.error.message, 'list[1] must have at most 2000 characters.');
  assert.equal(Math.max(...lengths), 2000);
});

test('an email address is one address that fits a header unescaped', () => {
  for (const email of ['a@b.c', 'a@..c', 'a@b..', 'first.last+tag@sub.example.com', 'ü@exämple.de']) {
    assert.equal(detailOf({ ...good, email }), 'good', email);
  }
  for (const email of [
    '',
    'a',
    'a@b',
    'a@b.c, d@e.f',
    '<a@b.c>',
    'a b@c.d',
    'a@b.c\r\nBcc: d@e.f',
    '\u001b[2Ja@b.c',
    'a@b\u0007.c',
    'a(x)@b.c',
    'a:b@c.d',
    'a\\b@c.d',
    'a@.c',
    'a@b.',
    'a@b@c.d',
  ]) {
    assert.equal(detailOf({ ...good, email }), 'email must be an email address.', JSON.stringify(email));
  }
});

test('a field that a schema does not know is named once where the schema takes no others, and cut where it is long', () => {
  const closed = Type.Object({ a: Type.Optional(Type.Integer()) }, { additionalProperties: false });
  const strict = compileRequestPart(
    Type.Object({ item: Type.Optional(closed) }, { additionalProperties: false }),
    'body',
  );
  const parsed = strict({ item: { a: 1, color: 'red' }, ['x'.repeat(300)]: 1 });
  assert.ok('error' in parsed);
  assert.deepEqual(parsed.error.extras.errors, [
    { in: 'body', name: 'x'.repeat(100), message: 'is not a field of this request; check its spelling' },
    { in: 'body', name: 'item.color', message: 'is not a field of this request; check its spelling' },
  ]);
});

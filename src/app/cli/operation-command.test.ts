import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { endpointOn, type Operation } from '../../access/operations/operation.ts';
import { OPERATOR_OPERATIONS } from '../../surfaces/operator/operations.route.ts';
import { columnsOfTable, type Table } from '../../surfaces/operator/tables.ts';
import { fieldsOf, optionOf } from './field-options.ts';
import { schemaText } from './print-answer.ts';

const BODY = Type.Object({
  store_id: Type.String(),
  sandbox_account_id: Type.Optional(Type.String()),
  open: Type.Optional(Type.Boolean()),
  since: Type.Optional(Type.Integer({ description: 'In epoch seconds.' })),
  left: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  kinds: Type.Optional(Type.Array(Type.Enum(['a', 'b']))),
  items: Type.Optional(Type.Array(Type.Object({ index: Type.Integer(), quantity: Type.Integer() }))),
  limits: Type.Optional(Type.Object({ sms: Type.Union([Type.Integer(), Type.Enum(['default'])]) })),
});
const FIELDS = fieldsOf({ query: Type.Object({ after: Type.String(), limit: Type.Integer() }), body: BODY });
const options = new Map(FIELDS.map((field) => [field.name, optionOf(field)]));

/** The value that texts of an option give together. */
const read = (name: string, ...texts: string[]) =>
  texts.reduce(
    (earlier: { value: unknown } | undefined, text) => options.get(name)?.parseArg?.(text, earlier as never) as never,
    undefined,
  )?.value;

test('an option has its field’s name, and paging parameters aren’t options', () => {
  assert.deepEqual(
    [...options.values()].map(({ flags }) => flags),
    [
      '--store <store_id>',
      '--sandbox <sandbox_account_id>',
      '--open [on|off]',
      '--since <time>',
      '--left <n|none>',
      '--note <note>',
      '--kinds <kinds>',
      '--items <items>',
      '--sms <n|default>',
    ],
  );
  assert.deepEqual(
    FIELDS.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    ['store_id'],
  );
});

test('an option reads its text as the schema of the field has it', () => {
  assert.equal(read('open', 'OFF'), false);
  assert.equal(read('since', '1970-01-02'), 86_400);
  assert.equal(read('since', '1970-01-01T00:01:00Z'), 60);
  assert.deepEqual(
    [read('left', 'none'), read('left', '7'), read('note', ''), read('note', 'none')],
    [null, 7, null, 'none'],
  );
  assert.deepEqual(read('kinds', 'a,b', 'a'), ['a', 'b', 'a']);
  assert.deepEqual(read('items', '0:2', '3:1'), [
    { index: 0, quantity: 2 },
    { index: 3, quantity: 1 },
  ]);
  assert.deepEqual([read('sms', 'default'), read('sms', '12')], ['default', 12]);
  for (const [name, text] of [
    ['open', 'maybe'],
    ['since', 'soon'],
    ['left', 'x'],
    ['kinds', 'c'],
    ['items', '1'],
    ['sms', 'most'],
  ])
    assert.throws(() => read(String(name), String(text)), { code: 'commander.invalidArgument' });
});

test('help lists a response’s fields with their types', () => {
  const answer = Type.Object({
    stores: Type.Array(
      Type.Object({ store_id: Type.String(), left: Type.Optional(Type.Union([Type.Integer(), Type.Null()])) }),
    ),
    next: Type.String(),
  });
  assert.equal(schemaText(answer), '{ stores: [{ store_id: string, left?: integer | null }] }');
});

test('every column of a table is a field of the rows of its answer', () => {
  type Schema = { properties?: Record<string, Schema>; items?: Schema };
  type Listed = { name: string; answer: Schema; table?: Readonly<Record<string, unknown>> };
  for (const { name, answer, table = {} } of OPERATOR_OPERATIONS.map((one: Operation) =>
    endpointOn(one, 'operator'),
  ) as unknown as readonly Listed[]) {
    if (!Object.values(table).every((column) => typeof column === 'string')) continue;
    const lists = Object.values(answer.properties ?? {}).flatMap(({ items }) => items ?? []);
    const has = (path: string) => {
      const [first = '', second] = path.split('.');
      const found = lists.flatMap(({ properties }) => properties?.[first] ?? []);
      return found.length > 0 && (second === undefined || (found[0]?.properties?.[second] ?? !found[0]?.properties));
    };
    for (const { path, link } of columnsOfTable(table as Table)) {
      assert.ok(has(path), `${name} ${path}`);
      assert.ok(link === undefined || has(link.id), `${name} ${path}`);
    }
  }
});

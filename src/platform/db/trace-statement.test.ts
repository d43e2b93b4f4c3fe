import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarizeStatement } from './trace-statement.ts';

test('a statement is named by the table it changes, or by the first table it reads', () => {
  const cases: readonly [string, string, string | undefined][] = [
    ['select "order_id" from "orders" where "order_id" = $1', 'select', 'orders'],
    [
      '\n  with step as (update orders set a = $1 returning b) insert into order_events (c) select b from step',
      'update',
      'orders',
    ],
    ['insert into "payment_methods" ("id") values ($1)', 'insert', 'payment_methods'],
    ['delete from budget_use where day < $1', 'delete', 'budget_use'],
    ['with named as (select 1) select * from stores', 'select', 'stores'],
    ['begin', 'begin', undefined],
    ['COMMIT', 'commit', undefined],
    ['select 1', 'select', undefined],
    ["select 'from smith' , 'it''s update jones' from stores", 'select', 'stores'],
    ['', '', undefined],
  ];
  for (const [text, operation, table] of cases) assert.deepEqual(summarizeStatement(text), { operation, table }, text);
});

test('a repeated statement isn’t read again', () => {
  assert.equal(summarizeStatement('select * from stores'), summarizeStatement('select * from stores'));
});

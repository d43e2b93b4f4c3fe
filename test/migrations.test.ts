import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMigration, readMigrations } from '../src/platform/db/migrations.ts';
import { faultsOf } from './migration-rules.ts';

test('nodes of the earlier version serve while a migration is applied, and after it', async () => {
  assert.deepEqual((await readMigrations()).flatMap(faultsOf), []);
});

/** Every migration that has landed. A line is added with its file, and never changes. */
const LANDED: Readonly<Record<string, string>> = {
  '0001-baseline.sql': 'f6c0c3aab707671caa7c57b6b1815dcd8f2fe4980e5926821ef046545ebed890',
  '0002-kitchens.sql': 'f611c9b00bf994508c24dfa4d389692a94a8dc898e7f79252bd828b85c0d3e1c',
  '0003-kitchen-indexes.sql': '3cfdd8c0c86820b26ab1c098e4018fee07fc79a13528f067ff291809558d183f',
  '0004-kitchen-checks.sql': 'eb81aab7b3389ce591a21540d8ea2093e7f482efe7753a1c135d20aced320590',
};

test('no migration that has landed changes: a change of the schema is a new migration', async () => {
  const hashes = Object.fromEntries((await readMigrations()).map(({ name, hash }) => [name, hash]));
  const advice =
    'Databases know migrations by their hashes and refuse a changed one: leave landed files alone, 0001-baseline.sql too, and add a file with its line here.';
  assert.deepEqual(hashes, LANDED, advice);
});

const faults = (text: string) => faultsOf(parseMigration('0099-x.sql', text));
const OUTSIDE = '-- Runs outside a transaction.\n';
const BATCHES = '-- Runs in batches.\n';
const STOPS = '-- Old nodes must stop.\n';

test('what only adds to the schema, in little time, is taken', () => {
  for (const text of [
    'create table things (id text primary key, at timestamptz not null default clock_timestamp());\ncreate index things_by_age on things (at);',
    "alter table orders add column note text, add column kind text not null default 'a, (b)';",
    "alter table products\n  add column seen_at timestamptz not null default now(),\n  add tags text[] not null default '{}';",
    'alter table orders drop constraint orders_state_check;\nalter table orders add constraint orders_state_check check (state in (1, 2)) not valid;',
    "alter table brandings add color text check (color ~ '^#[0-9a-f]{6}$');",
    'update accounts set name = name;',
    'create or replace function f() returns trigger language plpgsql as $$\nbegin\n  update orders set x = 1;\n  return null;\nend $$;',
    `${OUTSIDE}create index concurrently if not exists orders_by_x on orders (x);\ndrop index concurrently if exists old_one;`,
    `${BATCHES}update orders set x = 1 where order_id in (select order_id from orders where x is null limit 1000);`,
    `${STOPS}alter table orders drop column x;\ndrop table old_things;`,
  ]) {
    assert.deepEqual(faults(text), [], text);
  }
});

test('what would stop or break nodes of the earlier version is refused', () => {
  for (const text of [
    'alter table orders drop column x;',
    'alter table orders rename column x to y;',
    'alter table orders rename to purchases;',
    'drop table old_things;',
    `${STOPS}alter table orders alter column x set not null;`,
    `${STOPS}alter table orders alter x type bigint;`,
    'alter table orders add column x integer not null;',
    'alter table orders add column x uuid default gen_random_uuid();',
    'alter table orders add column a text, add column x double precision default random();',
    'alter table orders add column x integer generated always as (y + 1) stored;',
    'alter table orders add column x text references stores;',
    'alter table orders add column x text unique;',
    'alter table orders add check (x > 0);',
    'alter table orders add constraint c foreign key (store_id) references stores;',
    'create index orders_by_x on orders (x);',
    'create unique index orders_by_x on orders (x);',
    'create index concurrently orders_by_x on orders (x);',
    'update orders set x = 1;',
    'with a as (select 1) update orders set x = 1;',
    'insert into orders select * from old_orders;',
    'lock table products in share row exclusive mode;',
    `${OUTSIDE}create index orders_by_x on orders (x);`,
    `${OUTSIDE}create index concurrently orders_by_x on orders (x);`,
    `${BATCHES}update orders set x = 1;`,
    `${BATCHES}alter table orders add column x text;`,
  ]) {
    assert.equal(faults(text).length, 1, `${text} ${faults(text).join('\n')}`);
  }
});

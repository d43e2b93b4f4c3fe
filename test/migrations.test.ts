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
  '0005-ucp-shops.sql': 'e46c78dd5d4ebb2010faf9d41864c7a82f2aaf635815fbe4908627bb78a88684',
  '0006-ucp-carts.sql': '15d85cc7b6ce5f159b0867ac11b61ef50b4c5042a5f68c6601f1d92c70ab5d96',
  '0010-customers.sql': '1003236c7ec4d092454d9e2d196c77061347547ada48a2365f2ac1610b49d2b7',
  '0011-discounts.sql': '51c41d7cc9218e1ac41dbcc3f96ee1133f26f035038900eddf21b0f586c19a42',
  '0012-promotions.sql': '777e2ec9498fa4ae6692fc7a646660f03bb4deb518e98211b2101e28a4a8fc9d',
  '0013-promotion-indexes.sql': '70d3d83917d0bda22260c29a5c2def59c075c2d6dc31465380f1620a5faed81a',
  '0014-shown-promotions.sql': '51551713851e7f9abb22e702b5aa871bb4f1aa8a1b8f08b9fe94220cab8f6b08',
  '0015-shown-promotion-indexes.sql': '682aec883d84dc0ff98775c34f9fd43f13d77f5b49c67808cae298094738cd46',
  '0020-agent-actions.sql': '58df2b3b3e278b51168ce5290478f3d9e7011030d659c56681090ef74b7f21d1',
  '0021-agent-rules.sql': '7b4514f1647aa52e799303218f084486cc86321b5b7fa9ca3cec90704960723f',
  '0021-ucp-customers.sql': '611223b0482591d991580d236e02e690146449709a7e008526da4fa55b3bb0da',
  '0022-weights.sql': '8a12e91ab791e89c916ada5f8ec6fcef4e350117cc646ea10ea62e84d0e11612',
  '0023-holds.sql': '8f3b4413c60eff8fdf4240291feddd8affcdc6eac56a431ee99efa4f4972bc45',
  '0024-hold-indexes.sql': 'b0921537990f8e2f2b98a2a0e4150066f99c0160b23830d989e977d8046a4f4b',
  '0025-customer-addresses.sql': '1da3a0f4f74a6a9a9aeeee6523919ad668a61c457ef7fe6d5dea260a5ee6dffe',
  '0025-ucp-calls.sql': 'e8100afee2a7f2d6c8a7d911070036bae3497ca5d947e88fa0607a842c334536',
  '0026-valid-holds.sql': '82a83498835917d6622365157f657115ec5b0673fc6e8db0b0fbbf87c0808acf',
  '0030-brand-looks.sql': 'de503d39b2a47aeb5ea92edc5b4e8b4eb8523d3a285d10af2fca15981a6caba5',
  '0031-owner-looks.sql': '18e465e6c2ec063719cf95679a365971ba217cdf1cc7c19d851708b6bcce96ba',
  '0032-short-links.sql': '97ee7d4c916a4dc963d5cfba177d935bd34c33498cf0a1af5e8653c6d783523e',
  '0033-cart-checkouts.sql': '7cf7e0bc291b740901c662a7c19d9bf8bdc6ac8d43eae83875cbdc80ea7a50fa',
  '0034-code-guesses.sql': '35edafc6993cee9e47cc8af2463da9e10521203e6796095b3ccf83bf43a2fbc2',
  '0035-waived-tips.sql': '937261d259e0fc0b3935dfc8df75b0eb482a216474a6ce0dd02d9d7a043c0227',
  '0036-promotion-identities.sql': 'ead37fda94cb06110243e0fec90d6c0c402146711755cb4550678c7b7e1dc790',
  '0036-promotion-identity-indexes.sql': '328b7e7cad3978eb435cda6cfe52e8860bee5d1e6b2b2262063273b2fadd37f3',
  '0037-gmail-names.sql': '339e26d4496ec78fcee81becace858feae129cc3d48fb73efecfbbed599dfa03',
  '0037-mailbox-index.sql': '19d6a03ad10a1e31745b5144bcf0e49b9138e6d7a4e65173efe1e2fcccc6524f',
  '0038-money-plans.sql': 'c1a973a759fcab5c57718c88ccfca9eb8b3b81f522165679e586fa6e968ca782',
  '0039-decided-plans.sql': '1d99912e8a34c42593a67f50cd7516dd37eab9057713eef832715309098514c7',
  '0040-valid-plans.sql': 'bd76fbde96479e42a57e8f6b922dbe3bfbdaa6a6c90b15c40d8ffe7b090028c9',
  '0041-store-notes.sql': '877c5dca0afd700c757f52dcf2f1a9bbf77b3ae58b862e5938661e7a8f3fba2c',
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

test('a quick, purely additive schema change is accepted', () => {
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

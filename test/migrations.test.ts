import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMigration, readMigrations } from '../src/platform/db/migrations.ts';
import { faultsOf } from './migration-rules.ts';

test('nodes of the earlier version serve while a migration is applied, and after it', async () => {
  assert.deepEqual((await readMigrations()).flatMap(faultsOf), []);
});

/** Every migration that has landed. A line is added with its file, and never changes. */
const LANDED: Readonly<Record<string, string>> = {
  '0001-baseline.sql': 'ea870f5bc5ab48274ca4b3ff9582d6ea6db81d4ade157a35f365e01c75581e9f',
  '0002-ledger-taxes.sql': '980bcb9dd3814ed650b83b6b30ce08f1a7fa5573a9310d08b4743b29c00c40f4',
  '0003-search-checks.sql': 'b1a2cc8726ea994f350c8854b4f36ca9e10e7759913419b8d28fcaf9178f6f4c',
  '0004-sold-out-until-tomorrow.sql': '7d28f5033e07d6c1668898a7ec59a8addb2c53fd3bba03ef4d19ac6e490b4b66',
  '0005-stores-by-words.sql': 'caf73dc9cbad0afc921592e912d28745a9aee950fcfa1f166a64b8099391bdd3',
  '0006-retention.sql': '53a7f6b3c2d42fec5e98abed938587dd8dcb4341bef329e37aed64da803bd71a',
  '0007-autovacuum.sql': '869aac3c7aed7824bb6195da50c765c280ddf20c4213b94d37c5c7717ccb0cca',
  '0008-calls-of-every-change.sql': '9c1ff1573e86dbccb89ef4c1c9d5446090ef44e7da0a59b7c875c22fcddd8de2',
  '0009-orders-by-customer-id.sql': '50f31938593e4c848b5a16d84e04a978903b8bc0782e74e0443e0aa826f9b667',
  '0010-agent-unpaid.sql': '5a07dc459adbc6e7feacca528c00a4dbaf9b58f5aa873ffca87b4db66c9d7a6f',
  '0011-order-updated.sql': '49b2ccb9995276fe08883546757f406b8a5ef4769730238dd9342d1dc0fe052b',
  '0012-menu-patches.sql': '45a7a3731bb8614e48ed9d41817e5ef18e71f6a40c28c859c209965dfe9563b0',
  '0013-sold-stores.sql': '2eff2c6e888e3b8aeb5bfff96ae19c684e434aa8754b4adad49d6d32a8e82cdb',
  '0014-publishable-keys.sql': '5518073e8d3fc860f99191b2a9a6178c88e6c86919fa2998d2c2a73092adcea2',
  '0015-forgotten-orders.sql': '5549e3957761c6e4e684fabe338a0a0bde55899197502b0e6644ca0765b6123f',
  '0016-orders-to-forget.sql': '5407fb1fec7b8ea8af23df1fdcadb8ad8df300bd7f06dfeb17769ed7539e2455',
  '0018-tips-of-drivers.sql': '439f43dcf4f8ec344c1edb75ff807d93bd952cf068ccd43ffad5d6e005236481',
  '0019-terms-without-tips.sql': '1dbf4ecdd031ba34f382ae99aa8ba99a5930f40d5a11f02ef7277e123c6cd12a',
  '0020-tax-classes.sql': 'cb09b4d95e458d9b69835ac53d9adfe105320c36da568afce375ccb04a766fee',
  '0021-categories-by-tax-class.sql': 'a046f033301309fb41b38c6e9008ccf35020dfbd724535a25323f5e3dd74a3cc',
  '0022-tax-ids.sql': '31e58108584d47e314ae4f364d9707eec666cf4c97aa935c9f193ea7ca908bb7',
  '0023-shops.sql': 'a1168407414b081cdd34b477ed4bc92919cc5ab48830a5ed209b0397aeba1975',
  '0024-tips-of-couriers.sql': '7dcc4479c0e078ec6d8454bab8d7a2f911977efaf62a9915d58ca4db3caf79ef',
  '0025-tax-records.sql': 'a27c070ef7eb6eb842108784dcffb0ef343a163a855c273d0d0dd22ecd56b3fc',
  '0026-driver-pay.sql': '24daf7232798af4746feeb7f27faa18a463eae5b812e364b0330d3a3d51711b2',
  '0027-handover-codes.sql': '7d7cf9ec12da636e9fc90a8f4b5f2ded4a116edb47a67cf7eaab96707764c5b7',
  '0028-house-account.sql': '7ee59521e139a9d221a512ac035829b18f9bb5aa5886e5a88f9fc03f6c3e6f63',
  '0029-ucp-food.sql': '5b871eb7e8146e45c638cee110027d093142c2d7dc534939f1461f70564c7c93',
  '0030-collected-at-the-handover.sql': 'bf76be46921d1e19d64a70cacb7370044b82714c007b619077e27b8db6cc100c',
  '0032-clock-differences.sql': 'b735f77e7731bebd00ab6d23e86a6992b31d2fd1de7839454e39b5a61fa22196',
  '0033-keys-of-declines.sql': '3b65d5cbbcd8c2ca04578ca9c95fe80b60242524d596c09909ba7175929ffcf8',
  '0034-validated-checks.sql': '36c03c731528aca012979fdce081d08c66a6419a2755e0ce463a0ac22c5ab020',
  '0035-settings-kept.sql': 'e21d8beef6bcf667d523350e2a13380d638275d31f285ed58278d7efb1977da1',
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

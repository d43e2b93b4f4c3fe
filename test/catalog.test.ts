import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql as raw } from 'kysely';
import { SOURCES, textOf } from './source-files.ts';
import { type GivenDatabase, givenDatabase } from './test-database.ts';

let database: GivenDatabase;
before(async () => {
  database = await givenDatabase();
});
after(() => database.close());

async function namesOf(query: ReturnType<typeof raw<{ name: string }>>): Promise<string[]> {
  const { rows } = await query.execute(database.db);
  return rows.map(({ name }) => name);
}

test('every table has a primary key, required by logical replication for updates and deletes', async () => {
  const without = raw<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace
      and c.relkind in ('r', 'p') and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`;
  assert.deepEqual(await namesOf(without), []);
});

test('every constraint is validated: a migration that adds a "not valid" one is followed by its validation', async () => {
  const unproven = raw<{ name: string }>`select conname as name from pg_constraint where not convalidated`;
  assert.deepEqual(await namesOf(unproven), []);
});

/** Tables whose rows stay, so that nothing looks for the rows that refer to them. */
const NEVER_DELETED = [
  ...'accounts api_keys operators order_events sandbox_gateway_charges store_staff stores'.split(' '),
];

test('every foreign key to a table whose rows are deleted has an index, so that a delete reads no whole table', async () => {
  const unindexed = raw<{ name: string }>`
    select f.conname as name from pg_constraint f
    where f.contype = 'f' and f.connamespace = current_schema()::regnamespace
      and f.confrelid <> all(${NEVER_DELETED}::regclass[])
      and not exists (
        select from pg_index i
        where i.indrelid = f.conrelid and i.indisvalid and i.indkey[0] = any(f.conkey)
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\(\w+ IS NOT NULL\)$'))`;
  assert.deepEqual(await namesOf(unindexed), []);
});

test('no statement deletes from a table whose foreign keys may lack an index', () => {
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const names = NEVER_DELETED.flatMap((name) => [name, camel(name)]).join('|');
  const deletes = new RegExp(String.raw`\b(?:delete from |truncate |deleteFrom\(')(?:${names})\b`, 'i');
  assert.deepEqual(
    SOURCES.filter((file) => deletes.test(textOf(file))),
    [],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenApp } from '../../../test/harness.ts';
import { columnName, runPrepared } from './hot-statement.ts';

test('each column of the database has one name in TypeScript, and columnName leads back', async () => {
  const app = await givenApp();
  const { db } = app.service.deps;
  const columns = `select distinct column_name::text as name from information_schema.columns
    where table_schema = current_schema()`;
  const names = (await runPrepared<{ name: string }>(db, columns, [])).rows.map(({ name }) => name);
  assert.ok(names.length > 50);
  const text = `select ${names.map((name, index) => `${index} as ${JSON.stringify(name)}`).join(', ')}`;
  const [row = {}] = (await runPrepared<Record<string, number>>(db, text, [])).rows;
  assert.deepEqual(Object.keys(row).map(columnName), names);
  await app.close();
});

test('keys inside JSON stay unchanged', async () => {
  const app = await givenApp();
  const text = `select '{"snake_case": {"inner_key": 1}}'::jsonb as some_json, '[{"in_list": 1}]'::jsonb as some_list`;
  const { rows } = await runPrepared(app.service.deps.db, text, []);
  assert.deepEqual(rows, [{ someJson: { snake_case: { inner_key: 1 } }, someList: [{ in_list: 1 }] }]);
  await app.close();
});

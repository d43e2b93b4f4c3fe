import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenDatabase, runJson } from '../../../test/given/command.ts';
import { givenConsole } from '../../../test/given/merchant.ts';
import { givenApp } from '../../../test/harness.ts';
import { importFiles } from '../../supply/imports/import-files.flow.ts';

let database: Awaited<ReturnType<typeof givenDatabase>>;
let file: string;
before(async () => {
  database = await givenDatabase();
  file = join(database.env.DATA_DIR ?? '', 'market.ndjson');
  writeFileSync(file, `${JSON.stringify(pizzeria())}\n{"external_id": 7}\n`);
});
after(() => database.drop());

test('an import is kept with its numbers and its first errors, and listed newest first', async (t) => {
  const app = await givenApp();
  t.after(() => app.close());
  const { deps } = app.service;
  for (const source of ['first', 'second']) {
    await importFiles(deps, { files: [file], source, stdin: process.stdin });
  }
  const operator = await givenConsole(app, null);
  const { imports, next } = (await operator.get('/operator/imports')).body;
  assert.deepEqual([imports.map(({ source }: { source: string }) => source), next], [['second', 'first'], null]);
  const [second] = imports;
  assert.deepEqual([second.counts.read, second.counts.created, second.counts.rejected], [2, 1, 1]);
  assert.ok(second.finished_at >= second.started_at);
  const read = await operator.get(`/operator/imports/${second.run_no}`);
  assert.equal(read.status, 200, read.text);
  assert.deepEqual([read.body.errors[0].line, read.body.error_count], [2, read.body.errors.length]);
  assert.equal((await operator.get('/operator/imports/999')).body.code, 'not_found');
  assert.equal((await operator.get('/operator/imports/x')).status, 400);
});

test('doorstep imports list shows imports; doorstep operators invites, lists and ends sessions', async () => {
  await runJson(['import', file], database.env);
  const { imports } = (await runJson(['imports', 'list'], database.env)).body;
  assert.deepEqual([imports[0].source, imports[0].counts.created, imports[0].counts.rejected], ['market', 1, 1]);
  const { status, body } = await runJson(
    ['operators', 'invite', '--name', 'Ana Ruiz', '--role', 'admin'],
    database.env,
  );
  assert.equal(status, 0);
  assert.match(body.code, /^\w{4}-\w{4}-\w{4}$/);
  assert.ok(Number.isInteger(body.expires_at));
  assert.deepEqual((await runJson(['operators', 'sessions'], database.env)).body, { sessions: [] });
  const unknown = await runJson(['sessions', 'revoke', 'ses_none'], database.env);
  assert.deepEqual([unknown.status, unknown.body], [1, { error: 'No such session: ses_none.' }]);
});

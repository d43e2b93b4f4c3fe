import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/harness.ts';
import { openPool } from '../../platform/db/connect.ts';
import { readListedStores } from './listed-stores.db.ts';

test('a reading that is aborted while it connects gives its connection back, so that its pool can close', async () => {
  const { connectionString } = await openTestDatabase();
  const pool = openPool({ connectionString, schema: 'doorstep', max: 1 });
  const closing = new AbortController();
  const reading = readListedStores(pool, () => {}, closing.signal);
  closing.abort(new Error('closing'));
  await assert.rejects(reading, /closing/);
  await pool.end();
});

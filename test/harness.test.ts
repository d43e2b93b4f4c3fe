import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { givenLiveShop, SLOW_STORE } from './given/live-shop.ts';
import { type App, sharedApp } from './harness.ts';

test('who shares a service finds it as at its start: clock, ports, jobs, search, and no row of others', async (t) => {
  const stateOf = async ({ service, now }: App) => {
    const { deps } = service;
    const { rows } = await sql<{ jobs: string; rows: number }>`select
      (select string_agg(kind || ' ' || due_at, ', ' order by kind) from jobs) as jobs,
      (select count(*)::int from accounts) + (select count(*)::int from orders) as rows`.execute(deps.db);
    return { ...rows[0], now: now(), mailer: deps.messaging.mailer, found: deps.search.count().stores };
  };
  const first = await sharedApp({ env: SLOW_STORE });
  const before = await stateOf(first);
  await first.close();
  await t.test('another has a store, an order, a mailer, and lets two days pass', async (inner) => {
    const shop = await givenLiveShop(inner);
    await shop.place();
    await shop.app.advance({ hours: 48 });
    const after = await stateOf(shop.app);
    for (const name of ['jobs', 'rows', 'now', 'mailer', 'found'] as const) assert.notEqual(after[name], before[name]);
  });
  const last = await sharedApp({ env: SLOW_STORE });
  assert.deepEqual(await stateOf(last), before);
  await assert.rejects(sharedApp({ env: SLOW_STORE, start: '2026-01-01T00:00:00Z' }), /givenApp/);
});

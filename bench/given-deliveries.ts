import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Db } from '../src/db/connect.ts';
import { importFiles } from '../src/imports/import-files.flow.ts';
import { systemClock } from '../src/lib/clock.ts';
import { storeIdOf } from '../src/stores/store-id.ts';
import { pizzeria } from '../test/feed-lines.ts';
import { givenTracked } from '../test/given-tracked.ts';
import type { BenchService } from './setup.ts';

const SOURCE = 'bench';

/** The store of `givenDeliveries`. */
export async function importPizzeria(db: Db): Promise<void> {
  const stdin = Readable.from([`${JSON.stringify(pizzeria())}\n`]);
  await importFiles({ db, clock: systemClock }, { files: ['-'], source: SOURCE, stdin });
}

/** Places one order through the API, picked up by its driver, and copies it. Returns the ids of the copies. */
export async function givenDeliveries({ url, key, db }: BenchService, count: number): Promise<string[]> {
  const call = async (path: string, init: RequestInit) => {
    const reply = await fetch(url + path, {
      ...init,
      headers: { 'id-token': key, 'content-type': 'application/json' },
    });
    const text = await reply.text();
    return { status: reply.status, headers: {}, text, body: JSON.parse(text) };
  };
  const client = {
    ...{ accountId: '', key },
    get: (path: string, query: object = {}) =>
      call(`${path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`, {}),
    post: (path: string, body?: unknown) => call(path, { method: 'POST', body: JSON.stringify(body) }),
    patch: (path: string, body?: unknown) => call(path, { method: 'PATCH', body: JSON.stringify(body) }),
    put: (path: string, body?: unknown) => call(path, { method: 'PUT', body: JSON.stringify(body) }),
  };
  const first = await givenTracked(client, storeIdOf(SOURCE, 'pizzeria'));
  for (const step of ['confirm', 'assign_driver', 'pick_up']) await first.advance(step);
  const { orderId } = first;
  const { rows } = await sql<{ orderId: string }>`
    insert into orders
    select (jsonb_populate_record(null::orders, to_jsonb(o) || jsonb_build_object('order_id', 'ord_bench_' || n,
      'idempotency_key', null))).* from orders o, generate_series(1, ${count}::int) n where order_id = ${orderId}
    returning order_id`.execute(db);
  await sql`
    insert into order_events select (jsonb_populate_record(null::order_events, to_jsonb(e)
      || jsonb_build_object('order_id', 'ord_bench_' || n, 'dispatched', true))).*
    from order_events e, generate_series(1, ${count}::int) n where order_id = ${orderId}`.execute(db);
  return rows.map((row) => row.orderId);
}

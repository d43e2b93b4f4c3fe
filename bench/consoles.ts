import { Agent, get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { issueKey } from '../src/accounts/issue-key.flow.ts';
import { importFiles } from '../src/imports/import-files.flow.ts';
import { systemClock } from '../src/lib/clock.ts';
import { sha256 } from '../src/lib/sha256.ts';
import { storeIdOf } from '../src/stores/store-id.ts';
import { pizzeria } from '../test/feed-lines.ts';
import { orderBody } from '../test/given-orders.ts';
import { print } from './compare.ts';
import { type BenchService, givenBench } from './setup.ts';

/**
 * Open consoles on one node, each of its own store, while orders are placed: the time from the commit of an order until its
 * console has it. `node bench/consoles.ts [consoles] [orders a second] [seconds]`
 */
const CONSOLES = Number(process.argv[2] ?? 1000);
const ORDERS_A_SECOND = Number(process.argv[3] ?? 100);
const SECONDS = Number(process.argv[4] ?? 20);
const LIMIT_MS = 1000;
const TICK_MS = 50;

const storeIds = Array.from({ length: CONSOLES }, (_, index) => storeIdOf('bench', `store-${index}`));
const service = await givenBench(async (db) => {
  const lines = storeIds.map((_, index) =>
    JSON.stringify(pizzeria({ external_id: `store-${index}`, name: `Store ${index}` })),
  );
  await importFiles(
    { db, clock: systemClock },
    { files: ['-'], source: 'bench', stdin: Readable.from([`${lines.join('\n')}\n`]) },
  );
  await sql`update stores set has_channel = true`.execute(db);
  await sql`insert into store_channels (store_id, channel, created_at) select store_id, 'console', now() from stores`.execute(
    db,
  );
});
const committedMs = new Map<string, number>();
const seenMs = new Map<string, number>();
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const orderId = await givenLiveOrder(service);
const openedMs = performance.now();
for (let at = 0; at < CONSOLES; at += 50) await Promise.all(storeIds.slice(at, at + 50).map(openConsole));
print(`${CONSOLES} consoles open after ${Math.round(performance.now() - openedMs)} ms`);
// Every console reads its list once more when the changes are listened to.
await delay(LIMIT_MS);
const cpuBeforeMs = await service.cpuMs();
const startMs = performance.now();
const placed = await placeOrders();
const tookS = (performance.now() - startMs) / 1000;
await delay(3 * LIMIT_MS);
const cpuS = ((await service.cpuMs()) - cpuBeforeMs) / 1000;
const all = [...committedMs].map(([id, ms]) => (seenMs.get(id) ?? Number.POSITIVE_INFINITY) - ms).sort((a, b) => a - b);
const at = (part: number) => Math.round(all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0);
const received = await countReceived();
print(
  `${CONSOLES} open consoles, ${Math.round(placed / tookS)} orders/s: on screen after p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (limit ${LIMIT_MS} ms), max ${at(1)} ms; ${seenMs.size} of ${placed} shown, ${received} recorded as received; ${((100 * cpuS) / (tookS + 3)).toFixed(0)} % of a processor`,
);
agent.destroy();
await service.close();
if (at(0.99) > LIMIT_MS || seenMs.size < placed || received < placed) process.exitCode = 1;

/** One live order, placed through the API; the others are copies of its row. */
async function givenLiveOrder({ url, db }: BenchService): Promise<string> {
  const account = await db.selectFrom('accounts').select('accountId').executeTakeFirstOrThrow();
  const { key } = await issueKey(db, account.accountId, 'live', systemClock.now());
  const headers = { 'id-token': key, 'content-type': 'application/json' };
  const menu = await fetch(`${url}/details/inventory?store_id=${storeIds[0]}&pickup=true`, { headers });
  const { categories } = (await menu.json()) as {
    categories: { menu_item_list: { name: string; product_id: string }[] }[];
  };
  const soda = categories.flatMap((category) => category.menu_item_list).find(({ name }) => name === 'Soda');
  const token = soda?.product_id ?? '';
  const body = orderBody(token, null, {
    pickup: true,
    items: [{ product_id: token, quantity: 4 }],
    charge_user: false,
  });
  const reply = await fetch(`${url}/order/order/v2`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(text);
  return (JSON.parse(text) as { order_id: string }).order_id;
}

async function openConsole(storeId: string): Promise<void> {
  const token = `bench-session-token-${storeId}`;
  await sql`
    insert into console_sessions (session_id, store_id, token_hash, rotated_at, device, created_at, seen_at, expires_at)
    values (${`ses_${storeId}`}, ${storeId}, ${sha256(token)}, now(), 'bench', now(), now(), now() + interval '1 day')`.execute(
    service.db,
  );
  const headers = { cookie: `doorstep_console=${token}` };
  await new Promise<void>((done, fail) => {
    const request = get(`${service.url}/store/orders/stream`, { agent, headers }, (stream) => {
      if (stream.statusCode !== 200) return fail(new Error(`${stream.statusCode} for a stream`));
      readOrders(stream);
      done();
    });
    request.on('error', fail);
  });
}

function readOrders(stream: IncomingMessage): void {
  let unread = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (unread + text).split('\n\n');
    unread = blocks.pop() ?? '';
    for (const block of blocks) {
      const id = block.startsWith('event: order') ? /"order_id":"([^"]+)"/.exec(block)?.[1] : undefined;
      if (id !== undefined && !seenMs.has(id)) seenMs.set(id, performance.now());
    }
  });
  // The service ends its streams when the bench is over.
  stream.on('error', () => {});
}

/** Orders at random stores, as the statement that places them writes them: the row and its event in one commit. */
async function placeOrders(): Promise<number> {
  let placedCount = 0;
  const beganMs = performance.now();
  for (let tick = 0; performance.now() - beganMs < SECONDS * 1000; tick += 1) {
    const due = Math.floor(((tick + 1) * TICK_MS * ORDERS_A_SECOND) / 1000) - placedCount;
    await Promise.all(Array.from({ length: due }, (_, index) => placeOne(`ord_bench_${placedCount + index}`)));
    placedCount += due;
    await delay(Math.max(0, beganMs + (tick + 1) * TICK_MS - performance.now()));
  }
  return placedCount;
}

async function placeOne(id: string): Promise<void> {
  const storeId = storeIds[Math.floor(Math.random() * storeIds.length)] ?? '';
  await sql`
    with copied as (
      insert into orders
      select (jsonb_populate_record(null::orders, to_jsonb(o) || jsonb_build_object('order_id', ${id}::text,
        'store_id', ${storeId}::text, 'idempotency_key', null, 'received_at', null, 'placed_at', now(), 'offer_at', now()))).*
      from orders o where order_id = ${orderId}
      returning order_id
    )
    insert into order_events
    select (jsonb_populate_record(null::order_events, to_jsonb(e)
      || jsonb_build_object('order_id', ${id}::text, 'at', now(), 'dispatched', false))).*
    from order_events e, copied where e.order_id = ${orderId} and e.sequence = 1`.execute(service.db);
  committedMs.set(id, performance.now());
}

async function countReceived(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from orders where order_id like 'ord\\_bench\\_%' and received_at is not null`.execute(
    service.db,
  );
  return rows[0]?.count ?? 0;
}

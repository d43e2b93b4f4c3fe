import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { UNAUTHENTICATED_LIMITS } from '../../src/platform/load/share-event-loop.hook.ts';
import { comeAgain } from '../come-again.ts';
import { givenStoreKey } from '../given/merchant.ts';
import { givenStore } from '../given/stores.ts';
import { type App, givenOwnApp } from '../harness.ts';
import { until } from '../until.ts';

let app: App;
before(async () => {
  app = await givenOwnApp();
});
after(() => app.close());

/** A quarter of the 14 connections that are not reserved for keys. */
const CONNECTIONS_OF_STRANGERS = 3;

/** Locks the orders, which blocks every order page. */
async function whileOrdersAreLocked(work: () => Promise<void>): Promise<void> {
  await app.service.deps.gatewayDb.transaction().execute(async (tx) => {
    await sql`lock table orders in access exclusive mode`.execute(tx);
    await work();
  });
}

/** Asks for JSON, because browsers get a refusal as a page. */
const page = (nth: number, client = '203.0.113.1') => {
  const headers = { accept: 'application/json' };
  return app.service.http.inject({ url: `/tracking?tracking_id=ord_${nth}`, headers, remoteAddress: client });
};
/** The status of a page whose reader comes again. */
const statusOfPage = async (nth: number, client: string) => {
  const { status } = await comeAgain(async () => {
    const { statusCode, headers, body } = await page(nth, client);
    return { status: statusCode, headers, text: body };
  });
  return status;
};

const busy = () => app.service.deps.connectionUse().busy;

test('an unauthenticated flood leaves connections to keys in use, and to keys seen for the first time', async () => {
  const storeId = await givenStore(app.service.deps.db, { external_id: 'beside-strangers' });
  const merchant = await givenStoreKey(app, storeId);
  const fresh = await app.givenClient();
  const pages: Promise<number>[] = [];
  await whileOrdersAreLocked(async () => {
    for (let nth = 0; nth < 200; nth += 1) pages.push(statusOfPage(nth, `203.0.113.${nth % 8}`));
    await until('strangers have their connections', () => busy() >= CONNECTIONS_OF_STRANGERS);
    for (const client of [app, fresh, app]) {
      assert.equal((await client.get('/payment/list', { user_id: 'u1' })).status, 200);
    }
    assert.equal((await merchant.get('/store')).status, 200);
    // The service's own tasks may have a connection for a moment.
    await until('strangers have no more', () => busy() === CONNECTIONS_OF_STRANGERS);
  });
  assert.deepEqual([...new Set(await Promise.all(pages))], [404]);
});

test('a page that its reader no longer waits for is never read', async (t) => {
  const { hostname, port, host } = new URL(await app.service.listen());
  const sent = t.mock.method(pg.Query.prototype as unknown as { submit(): void }, 'submit');
  await whileOrdersAreLocked(async () => {
    const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname));
    const heads = Array.from(
      { length: 16 },
      (_, n) => `GET /tracking?tracking_id=ord_${n} HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
    );
    for (const socket of sockets) socket.write(heads.join(''));
    await until('strangers have their connections', () => busy() >= CONNECTIONS_OF_STRANGERS);
    for (const socket of sockets) {
      socket.destroy();
      await once(socket, 'close');
    }
  });
  await until('nothing of the pages is left', () => busy() === 0);
  assert.equal((await page(1)).statusCode, 404);
  const texts = sent.mock.calls.map((call) => (call.this as unknown as { text: string }).text);
  const pages = texts.filter((text) => /from "?orders/.test(text)).length;
  assert.ok(pages > 1, 'pages under way are read to their end');
  assert.ok(pages <= UNAUTHENTICATED_LIMITS.maxRunningOfOwner + 1, `${pages} pages were read`);
});

test('of one client few requests wait, and a further one is refused; another client is served next', async () => {
  const { maxRunningOfOwner, maxWaitingOfOwner } = UNAUTHENTICATED_LIMITS;
  const pages: Promise<{ statusCode: number }>[] = [];
  let isOtherServed = false;
  await whileOrdersAreLocked(async () => {
    const room = maxRunningOfOwner + maxWaitingOfOwner;
    for (let nth = 0; nth < room; nth += 1) pages.push(page(nth));
    await until('strangers have their connections', () => busy() >= CONNECTIONS_OF_STRANGERS);
    const refused = await page(room);
    assert.deepEqual(
      [refused.statusCode, refused.json().code, refused.headers['retry-after']],
      [429, 'rate_limited', '1'],
    );
    pages.push(page(0, '203.0.113.2').finally(() => (isOtherServed = true)));
  });
  await until('the other client is served', () => isOtherServed);
  await Promise.all(pages);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Client } from '../harness.ts';
import { type AnyAnswer, assertProblem } from './assert-refused.ts';
import {
  describedEndpoints,
  type Endpoint,
  fieldsOf,
  goodRequestOf,
  keyFor,
  sendWire,
  wireRequest,
  withValue,
} from './described-endpoints.ts';
import { givenIds, givenShop, type Ids, type Shop } from './given-shop.ts';

/** Error codes for an invalid ID, by field name (docs/errors.md#refusal-codes). */
const CODE_OF_ID: Readonly<Record<string, string>> = {
  store_id: 'store_not_found',
  product_id: 'product_not_found',
  subcategory_id: 'subcategory_not_found',
  scheduled_id: 'slot_unavailable',
  payment_method_id: 'payment_method_not_found',
  order_id: 'order_not_found',
};
const OWNED = ['payment_method_id', 'order_id'];

let shop: Shop;
let neighbor: Client;
let theirs: Ids;
/** An unplaced order that the store took: its next request replaces no other. */
let storeOrderId: string;
let places: IdPlace[];
before(async () => {
  shop = await givenShop();
  neighbor = await shop.givenClient();
  theirs = await givenIds(neighbor, shop.ids.store_id);
  const endpoints = describedEndpoints(shop);
  const takesOrders = endpoints.find(({ name }) => name === 'POST /store/orders') as Endpoint;
  const taken = await sendGood(takesOrders);
  storeOrderId = JSON.parse(taken.text).order_id;
  places = endpoints.flatMap(idPlacesOf);
  assert.ok(places.length >= 12);
});
after(() => shop.close());

/** An id parameter of an endpoint; `send` replaces the good `id` in an otherwise valid request. */
type IdPlace = {
  what: string;
  name: string;
  id: string;
  audience: Endpoint['audience'];
  endpoint: Endpoint;
  send(id: string, client?: Client): Promise<AnyAnswer>;
};

function idPlacesOf(endpoint: Endpoint): IdPlace[] {
  const good = goodRequestOf(shop, endpoint);
  const place = (name: string, id: unknown, at: string, changed: (id: string) => Partial<typeof good>): IdPlace => ({
    what: `${endpoint.name} ${at}`,
    name,
    id: String(id ?? (name === 'order_id' ? unplacedOrderOf(endpoint) : shop.ids[name as keyof Ids])),
    endpoint,
    audience: endpoint.audience,
    send: (id, client) =>
      sendWire(
        shop,
        client ?? keyFor(shop, endpoint),
        endpoint.method,
        wireRequest(endpoint, { ...good, ...changed(id) }),
      ),
  });
  const isId = (name: unknown) => CODE_OF_ID[String(name)] !== undefined;
  const queries = endpoint.query.filter(({ name }) => isId(name));
  const paths = endpoint.pathNames.filter(isId);
  return [
    ...queries.map(({ name }) =>
      place(name, good.query[name], `?${name}`, (id) => ({ query: { ...good.query, [name]: id } })),
    ),
    ...paths.map((name) =>
      place(name, good.path[name], name, (id) => ({ path: { ...good.path, [name]: encodeURIComponent(id) } })),
    ),
    ...fieldsOf(endpoint.body)
      .filter((field) => isId(field.at(-1)))
      .map((field) =>
        place(String(field.at(-1)), memberAt(good.body, field), field.join('.'), (id) => ({
          body: withValue(good.body, field, id) as Record<string, unknown>,
        })),
      ),
  ];
}

function unplacedOrderOf({ audience }: Endpoint): string {
  return audience === 'store' ? storeOrderId : shop.ids.unplaced_order_id;
}

function sendGood(endpoint: Endpoint): Promise<AnyAnswer> {
  return sendWire(shop, keyFor(shop, endpoint), endpoint.method, wireRequest(endpoint, goodRequestOf(shop, endpoint)));
}

function memberAt(body: unknown, field: (string | number)[]): unknown {
  return field.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
}

function assertNotFound(answer: AnyAnswer, name: string, what: string): void {
  if (answer.status === 200) {
    assert.deepEqual(Object.values(JSON.parse(answer.text)), [[]], what);
    return;
  }
  const { code } = assertProblem(answer, what);
  assert.ok(code === CODE_OF_ID[name] || code === 'invalid_request', `${what}: ${answer.text}`);
}

/** The response without values that differ between any two requests. */
function visibleOf({ status, headers, text }: AnyAnswer, id: string): unknown {
  const { date: _date, 'x-request-id': _id, ...others } = headers;
  const said = text.replaceAll(id, 'ID').replace(/"request_id":"[^"]*"/, '');
  return { status, headers: { ...others, 'content-length': undefined }, said };
}

async function ownedBy({ accountId }: Client): Promise<string> {
  const { db } = shop.service.deps;
  const { rows } = await sql<{ text: string }>`
    select o::text as text from orders o where account_id = ${accountId}
    union all select p::text from payment_methods p where account_id = ${accountId}
    union all select e::text from order_events e join orders o using (order_id) where account_id = ${accountId}
    order by 1`.execute(db);
  return rows.map(({ text }) => text).join('\n');
}

test('every id as it was given out is known', async () => {
  for (const { what, name, id, send } of places) {
    const { status, text } = await send(id);
    assert.ok(!text.includes(CODE_OF_ID[name] ?? ''), `${what}: ${status} ${text}`);
  }
});

test('an id of another account answers exactly as an id that does not exist, and changes nothing of it', async (t) => {
  const before = await ownedBy(neighbor);
  for (const { what, name, send } of places.filter((place) => OWNED.includes(place.name))) {
    await t.test(what, async () => {
      const id = theirs[name as keyof Ids];
      const none = `${id.slice(0, -4)}${id.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
      for (const other of name === 'order_id' ? [id, theirs.unplaced_order_id] : [id]) {
        const [foreign, unknown] = [await send(other), await send(none)];
        assertNotFound(foreign, name, what);
        assert.deepEqual(visibleOf(foreign, other), visibleOf(unknown, none));
      }
    });
  }
  assert.equal(await ownedBy(neighbor), before);
});

test('objects made with a sandbox key don’t exist for a live key', async () => {
  const live = await shop.givenClient('live');
  const { db } = shop.service.deps;
  await sql`update api_keys set account_id = ${shop.accountId} where account_id = ${live.accountId}`.execute(db);
  const before = await ownedBy(shop);
  const ofAccounts = places.filter(({ name, audience }) => OWNED.includes(name) && audience === 'account');
  for (const { what, name, send } of ofAccounts) {
    const answer = await send(shop.ids[name as keyof Ids], live);
    // A request that has two such ids names the first one that it lacks.
    const other = OWNED.find((one) => one !== name && answer.text.includes(`"code":"${CODE_OF_ID[one]}"`));
    if (answer.status === 403) assert.equal(assertProblem(answer, what).code, 'sandbox_only');
    else if (answer.status !== 503) assertNotFound(answer, other ?? name, what);
  }
  assert.equal(await ownedBy(shop), before);
});

test('one account’s users are separate from another’s', async () => {
  const mine = await shop.get('/payment/list', { user_id: 'u1' });
  assert.deepEqual(
    mine.body.payment_methods.map((method: { payment_method_id: string }) => method.payment_method_id),
    [shop.ids.payment_method_id],
  );
  const stranger = await shop.givenClient();
  assert.deepEqual((await stranger.get('/payment/list', { user_id: 'u1' })).body, { payment_methods: [] });
  assert.deepEqual((await stranger.get('/account/orders', { include_order_count: true })).body, {
    orders: [],
    order_count: 0,
  });
});

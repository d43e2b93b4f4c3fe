import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { repeatLost } from '../../../test/given/lost-answers.ts';
import { orderBody } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenSignInHost, givenToken, HOST } from '../../../test/given/sign-in.ts';
import { givenApp } from '../../../test/harness.ts';
import { countRows } from '../../../test/hostile/given-shop.ts';
import { runs } from '../../../test/runs.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { setPermissions } from '../../access/budgets/account-limits.db.ts';

/* Each tool that changes something is called, its result is lost, and it's called again. */

const shop = await givenPizzeria(givenApp);
await givenSignInHost(shop);
const permit = (changes: object) => setPermissions(shop.service.deps.db, shop.accountId, changes);
await permit({ agentOrders: 'place' });
await saveBranding(shop.service.deps.db, shop.accountId, { customerCancel: true }, shop.now());
after(() => shop.close());

type Json = Record<string, unknown>;
type Sent = { headers: Record<string, string>; given: Json };
const HEADERS = { 'id-token': shop.key };
let id = 0;
const post = async (method: string, params: object, headers: Record<string, string>) => {
  id += 1;
  const payload = { jsonrpc: '2.0', id, method, params };
  const reply = await shop.service.http.inject({ method: 'POST', url: '/mcp', headers, payload });
  const { result, ...body } = reply.json();
  if (result) assert.equal(body.id, payload.id, 'each message has the ID of its own');
  return {
    status: reply.statusCode,
    isError: result?.isError ?? false,
    data: result?.structuredContent ?? body,
    result,
  };
};
const call = (name: string, { headers, given }: Sent) =>
  post('tools/call', { name, arguments: given, _meta: { nth: id } }, headers);

/** What calls leave; messages and notices follow later. */
const KEPT = /^(orders|order_events|sandbox_gateway_(charges|refunds)|agent_actions)$/;
const countKept = async () => Object.entries(await countRows(shop)).filter(([table]) => KEPT.test(table));

type Listed = { name: string; annotations: { readOnlyHint: boolean }; inputSchema: { properties: Json } };
const { tools }: { tools: Listed[] } = (await post('tools/list', {}, HEADERS)).result;

const CHANGING: Record<string, (cart: Json, quote: Json) => Json> = {
  quote_order: (cart) => cart,
  place_order: (_cart, { order_id, total_cents }) => ({ order_id, expected_total_cents: total_cents }),
  cancel_order: (_cart, { order_id }) => ({ order_id }),
};

async function givenCaller(isCustomer: boolean): Promise<Sent> {
  const { place_order: _, include_final_quote: _shown, user_id, ...cart } = orderBody('', shop.card) as Json;
  if (!isCustomer) return { headers: HEADERS, given: { ...cart, user_id } };
  const { token, userId } = await givenToken(shop, `${randomUUID()}@example.com`);
  const payer = { user_id: userId, user_email: 'u1@example.com', payment_token: 'tok_visa' };
  const { payment_method_id } = (await shop.post('/payment/create', payer)).body;
  return { headers: { host: HOST, authorization: `Bearer ${token}` }, given: { ...cart, payment_method_id } };
}

test('every tool that changes something, repeated after a lost result, changes nothing more', async () => {
  const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint);
  assert.deepEqual(new Set(changing.map(({ name }) => name)), new Set(Object.keys(CHANGING)));
  const how = fc.constantFrom<'lost' | number>('lost', 1, 3);
  const samples = fc.record({ isCustomer: fc.boolean(), more: fc.nat(5), pickup: fc.boolean(), inArgs: fc.boolean() });
  const property = fc.asyncProperty(samples, how, async ({ isCustomer, more, pickup, inArgs }, by) => {
    const { headers, given } = await givenCaller(isCustomer);
    const cart = { ...given, pickup, items: [{ product_id: shop.tokens.Soda, quantity: 4 + more }] };
    let quote: Json = {};
    for (const { name, inputSchema } of changing) {
      const fields = CHANGING[name]?.(cart, quote) ?? {};
      const key = randomUUID();
      const isArgument = inArgs && 'idempotency_key' in inputSchema.properties;
      const sent = isArgument
        ? { headers, given: { ...fields, idempotency_key: key } }
        : { headers: { ...headers, 'idempotency-key': key }, given: fields };
      const send = () => call(name, sent);
      const all = await Promise.all(by === 'lost' ? [repeatLost(shop, send)] : Array.from({ length: by }, send));
      const one = all[0] ?? assert.fail();
      assert.deepEqual([one.status, one.isError], [200, false], JSON.stringify(one.data));
      const kept = await countKept();
      for (const { data } of [...all, await send()]) assert.deepEqual(data, one.data);
      assert.deepEqual(await countKept(), kept, name);
      if (name === 'quote_order') quote = one.data;
    }
    const { body } = await shop.get('/account/orders', { status: 'unplaced' });
    assert.deepEqual(body.orders, [], 'the first call made one record too');
  });
  await fc.assert(property, { numRuns: runs(30), endOnFailure: true });
});

test('a refused call with a key runs again, and a key is bound to its arguments', async () => {
  const { headers, given } = await givenCaller(false);
  const cart = { ...given, items: [{ product_id: shop.tokens.Soda, quantity: 4 }], charge_user: false, pickup: true };
  const quote = (changes: object) => call('quote_order', { headers, given: { ...cart, ...changes } });
  const key = { idempotency_key: randomUUID() };
  assert.equal((await quote(key)).isError, true, 'unpaid orders are not allowed');
  await permit({ agentUnpaid: true });
  const made = await quote(key);
  assert.deepEqual([made.isError, (await quote(key)).data], [false, made.data]);
  const other = await quote({ ...key, pickup: false });
  assert.deepEqual([other.status, other.data.code], [422, 'idempotency_conflict']);
  for (const idempotency_key of ['k'.repeat(256), 5, {}])
    assert.equal((await quote({ idempotency_key })).data.faults[0].at, 'idempotency_key');
});

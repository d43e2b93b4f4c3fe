import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { DoorstepError, type OrderEvent } from '../../clients/typescript/src/main.ts';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import type { Client } from '../harness.ts';
import { runs } from '../runs.ts';
import { connectionLost, fetchThrough, type GivenApi, givenApi } from './given-api.ts';

const DELIVERED = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'];
const FATES = ['goes', 'lost before', 'lost after', 'busy', 'fails'] as const;

let given: GivenApi;
let account: Client;
let soda = '';
before(async () => {
  given = await givenApi();
  account = await given.app.givenClient();
  soda = (await productTokens(account, given.storeId)).Soda ?? '';
});
after(() => given.close());

async function placeOrder(): Promise<string> {
  const items = [{ product_id: soda, quantity: 5 }];
  const reply = await account.post('/order/order/v2', orderBody(soda, null, { charge_user: false, items }));
  assert.equal(reply.status, 200, reply.text);
  return reply.body.order_id;
}

const nameOf = ({ type, data }: OrderEvent) => `${data.order.order_id} ${data.sequence} ${type}`;

/** The event log of these orders, from the database. */
async function logOf(orderIds: readonly string[]): Promise<string[]> {
  const { db } = given.app.service.deps;
  const rows = await db.selectFrom('orderEvents').select(['orderId', 'sequence', 'type']).execute();
  const named = rows.filter(({ orderId }) => orderIds.includes(orderId));
  return named.map(({ orderId, sequence, type }) => `${orderId} ${sequence} ${type}`);
}

test('whatever breaks on the way and whenever steps are taken, a follower gets each step of each order once', async () => {
  const look = fc.record({ fate: fc.constantFrom(...FATES), steps: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(look, { maxLength: 10 }), fc.integer({ min: 1, max: 3 }), async (looks, orders) => {
      const orderIds: string[] = [];
      const left = [...looks];
      const waiting = Array.from({ length: orders }, () => ['place', ...DELIVERED]).flat();
      async function takeStep(): Promise<void> {
        const event = waiting.shift();
        if (event === undefined) return;
        if (event === 'place') {
          orderIds.push(await placeOrder());
          return;
        }
        const { status, text } = await account.post(`/sandbox/orders/${orderIds.at(-1)}/advance`, { event });
        assert.equal(status, 200, text);
      }
      const unreliable = fetchThrough(async (send) => {
        const { fate, steps } = left.shift() ?? { fate: 'goes', steps: 4 };
        // The first response is the follower's starting position: no event may occur before it arrives.
        if (isThere) for (let n = 0; n < steps; n += 1) await takeStep();
        await dispatchAllEvents(given.app.service.deps);
        if (fate === 'lost before') connectionLost();
        if (fate === 'busy') return new Response(null, { status: 429, headers: { 'retry-after': '0' } });
        if (fate === 'fails') return new Response('<h1>Bad gateway</h1>', { status: 502 });
        const response = await send();
        return fate === 'lost after' ? connectionLost() : response;
      });
      let isThere = false;
      const client = given.clientOf(account, { fetch: unreliable });
      const onAnswer = () => {
        isThere = true;
      };
      const expected = orders * (DELIVERED.length + 1);
      const steps: string[] = [];
      for await (const event of client.events.follow({ pollMs: 1, onAnswer })) {
        steps.push(nameOf(event));
        if (steps.length === expected) break;
      }
      assert.deepEqual(steps.sort(), (await logOf(orderIds)).sort());
      assert.equal(waiting.length, 0);
    }),
    { numRuns: runs(4) },
  );
});

test('a returning follower resumes where it left, a wrong key ends it, and a signal ends its wait', async () => {
  const client = given.clientOf(account);
  const { next, is_complete } = await client.events.list();
  assert.equal(is_complete, true);
  const orderId = await placeOrder();
  await dispatchAllEvents(given.app.service.deps);
  for (let time = 0; time < 2; time += 1) {
    for await (const event of client.events.follow({ after: next })) {
      assert.equal(nameOf(event), `${orderId} 1 order.placed`);
      break;
    }
  }
  const stranger = given.clientOf({ ...account, key: 'ds_test_none' });
  await assert.rejects(
    stranger.events.follow().next(),
    (error) => error instanceof DoorstepError && error.status === 401,
  );
  const leaving = new AbortController();
  const onAnswer = () => leaving.abort(new Error('left'));
  await assert.rejects(client.events.follow({ signal: leaving.signal, pollMs: 60_000, onAnswer }).next(), /left/);
});

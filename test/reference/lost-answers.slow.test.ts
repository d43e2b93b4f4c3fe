import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type ApiDocument, operationNameOf, operationsOf } from '../api-document.ts';
import { repeatLost } from '../given/lost-answers.ts';
import { createExampleClient, type Exchange } from './example-client.ts';
import { createTraveler, JOURNEY, type Traveler } from './example-journey.ts';
import { type Demo, givenDemo } from './given-demo.ts';
import { exchangeWith } from './send-exchange.ts';

/* Every operation with an `Idempotency-Key` is carried out, and its process dies before it stores the response. */

let demo: Demo;
let traveler: Traveler;
const repeated = new Set<string>();
let keyed: Set<string>;
before(async () => {
  demo = await givenDemo();
  const document: ApiDocument = (await demo.app.get('/openapi.json')).body;
  const takesKey = ({ operation }: ReturnType<typeof operationsOf>[number]) =>
    (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
  keyed = new Set(
    operationsOf(document)
      .filter(takesKey)
      .map(({ name }) => name),
  );
  const send = exchangeWith(await demo.app.service.listen());
  const exchange: Exchange = async (request) => {
    const name = operationNameOf(document, { method: request.method, url: request.path }, { text: '' }) ?? '';
    if (!keyed.has(name)) return send(request);
    const headers = { ...request.headers, 'idempotency-key': randomUUID() };
    const { written, ...answer } = await repeatLost(demo.app, () => send({ ...request, headers }));
    if (written) repeated.add(name);
    assert.deepEqual(written ?? [], [], `${name} does something again`);
    return answer;
  };
  traveler = createTraveler(demo, createExampleClient(document, exchange));
});
after(() => demo.close());

for (const [name, travel] of Object.entries(JOURNEY)) {
  test(`a repeated request about ${name} gets the lost outcome and has no second effect`, async () => {
    await travel(traveler);
  });
}

test('a repeated step of a sandbox order is taken once, a delay too', async () => {
  await traveler.as.account('readInventory', 'createPaymentMethod', 'createOrder');
  for (const event of ['confirm', 'delay', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete']) {
    await traveler.sendOtherwise('account', 'advanceSandboxOrder', { change: { event } });
  }
});

test('a repeated call of a tool cancels an order once', async () => {
  await traveler.as.account('readInventory', 'createPaymentMethod');
  const { order_id } = (await traveler.sendOtherwise('account', 'createOrder', {})).body as { order_id: string };
  const change = { method: 'tools/call', params: { name: 'cancel_order', arguments: { order_id } } };
  const { body } = await traveler.sendOtherwise('account', 'exchangeMcpMessage', { change });
  assert.equal(
    (body as { result: { structuredContent: { status: string } } }).result.structuredContent.status,
    'canceled',
  );
});

test('every operation that takes an Idempotency-Key has been repeated', () => {
  assert.deepEqual(
    [...keyed].filter((name) => !repeated.has(name)),
    [],
  );
});

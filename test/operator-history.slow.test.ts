import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROCEDURES } from '../src/surfaces/operator/procedures.route.ts';
import { createExampleClient, type ExampleClient } from './reference/example-client.ts';
import { createTraveler, JOURNEY } from './reference/example-journey.ts';
import { givenDemo } from './reference/given-demo.ts';
import { exchangeWith } from './reference/send-exchange.ts';

const CHANGES = PROCEDURES.filter(({ endpoint }) => endpoint.startsWith('POST '));

/** Changes of an order's money, which a preview precedes. */
const DESK = ['refundAnyOrder', 'tipAnyOrder', 'adjustAnyOrder', 'cancelAnyOrder'];

test('every procedure that changes something leaves an entry in the history', async (t) => {
  const demo = await givenDemo();
  t.after(() => demo.close());
  const { db } = demo.app.service.deps;
  const countHistory = async () => {
    const { count } = await db
      .selectFrom('operatorActions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  };
  const document = (await demo.app.get('/openapi.json')).body;
  const client = createExampleClient(document, exchangeWith(await demo.app.service.listen()));
  const recorded = new Set<string>();
  const isChange = (id: string) => CHANGES.some(({ name }) => name === id);
  const send: ExampleClient['send'] = async (id, headers, sending) => {
    const before = isChange(id) ? await countHistory() : 0;
    const answer = await client.send(id, headers, sending);
    // A preview changes nothing; its confirmation does.
    const preview = (answer.body as { preview?: { preview_id: string } } | undefined)?.preview;
    if (preview && (id === 'resendAnyOrder' || sending?.change)) {
      const change = { preview: false, preview_id: preview.preview_id, reason: 'Asked on the phone.' };
      await client.send(id, headers, { change });
    }
    if (isChange(id) && (await countHistory()) > before) recorded.add(id);
    return answer;
  };
  const on = createTraveler(demo, { ...client, send });
  for (const part of Object.values(JOURNEY)) await part(on);
  for (const id of DESK) {
    await on.as.account('readInventory', 'createPaymentMethod', 'createOrder');
    if (id !== 'cancelAnyOrder') await on.as.operator('advanceAnyOrder');
    await on.sendOtherwise('operator', id, { change: { preview: true } });
  }
  assert.deepEqual(
    CHANGES.map(({ name }) => name).filter((name) => !recorded.has(name)),
    [],
  );
});

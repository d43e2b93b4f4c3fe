import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenApp } from '../../../test/harness.ts';

const shop = await givenPizzeria(givenApp);

const languageOf = async (orderId: string) => (await shop.orderOf(orderId)).user_language;

test("an order keeps its customer's language; an unsupported language is dropped", async () => {
  for (const [tag, language] of [
    ['fr-CA', 'fr'],
    ['ES-mx', 'es'],
    ['en', 'en'],
    ['de', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    const reply = await shop.place('Last Slice', { user_language: tag, place_order: false });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(await languageOf(reply.body.order_id), language, String(tag));
  }
});

test('an invalid language tag is rejected with its field', async () => {
  const reply = await shop.place('Last Slice', { user_language: '"><script>' });
  assert.deepEqual(
    [reply.status, reply.body.code, reply.body.errors.map(({ name }: { name: string }) => name)],
    [400, 'invalid_request', ['user_language']],
  );
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { decodeEscpos } from '../../../test/fakes/escpos-decoder.ts';
import { startTcpPrinter } from '../../../test/fakes/tcp-printer.ts';
import { givenLiveShop, step } from '../../../test/given/live-shop.ts';
import { givenChannel, givenStoreKey } from '../../../test/given/merchant.ts';
import { shownOrderNumber } from '../../ordering/order/order.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import type { ChannelChanges } from './set-channels.flow.ts';
import { listNotices } from './store-notices.db.ts';

async function givenPrinter(t: TestContext, changes: ChannelChanges = {}) {
  const shop = await givenLiveShop(t);
  const printer = await startTcpPrinter();
  t.after(() => printer.close());
  const { target } = printer;
  await givenChannel(shop.app, shop.storeId, { operator: false, printer: target, ...changes });
  const printed = () =>
    printer.printed.map((bytes) =>
      decodeEscpos(bytes)
        .rows.map(({ text }) => text)
        .join('\n'),
    );
  const numberFor = async (orderId: string) => {
    const order = await findAnyOrder(shop.app.service.deps.db, orderId);
    return order ? shownOrderNumber(order) : assert.fail('no order');
  };
  const noticesOf = async (orderId: string) =>
    (await listNotices(shop.app.service.deps.db, orderId)).map(({ kind, copy, state }) => `${kind} ${copy} ${state}`);
  return { ...shop, printer, printed, numberFor, noticesOf };
}

test('the kitchen ticket is printed when an order is offered, the receipt when it is ready, both again on demand', async (t) => {
  const shop = await givenPrinter(t);
  const orderId = await shop.place({ pickup: true });
  await shop.app.advance({ seconds: 1 });
  const number = await shop.numberFor(orderId);
  assert.equal(shop.printed().length, 1);
  assert.ok(shop.printed()[0]?.includes(number) && shop.printed()[0]?.includes('Soda'));
  assert.deepEqual(await shop.noticesOf(orderId), ['offered 0 acknowledged']);
  const order = await findAnyOrder(shop.app.service.deps.db, orderId);
  assert.notEqual(order?.receivedAt, null, 'the printer has the order');
  await step(shop, orderId, 'confirm', 'ready');
  assert.equal(shop.printed().length, 2);
  assert.match(shop.printed()[1] ?? '', /Total/);
  const key = await givenStoreKey(shop.app, shop.storeId);
  for (const [document, copy] of [
    ['kitchen', 1],
    ['kitchen', 2],
    ['receipt', 1],
  ] as const) {
    const reply = await key.post(`/store/orders/${orderId}/print`, { document });
    assert.deepEqual(reply.body, { order_id: orderId, document, copy });
  }
  await shop.app.advance({ seconds: 1 });
  assert.equal(shop.printed().filter((text) => /REPRINT/.test(text)).length, 3);
  await step(shop, orderId, 'complete');
  assert.equal(shop.printed().length, 5, 'the receipt is printed once by itself');
});

test('with --print-at confirmed the printer prints then, and gives the store no order', async (t) => {
  const shop = await givenPrinter(t, { printAt: 'confirmed' });
  await assert.rejects(shop.place(), /STORE_NOT_AVAILABLE/);
  await givenChannel(shop.app, shop.storeId, { operator: true });
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  assert.equal(shop.printed().length, 0);
  await step(shop, orderId, 'confirm');
  assert.equal(shop.printed().length, 1);
  await step(shop, orderId, 'cancel');
  assert.match(shop.printed()[1] ?? '', /CANCELED/);
});

test('a printer that is off gets its tickets once when it is on again, in the order of the orders', async (t) => {
  const shop = await givenPrinter(t);
  await shop.printer.switchOff();
  const orders: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    orders.push(await shop.place());
    await shop.app.advance({ seconds: 3 });
  }
  const key = await givenStoreKey(shop.app, shop.storeId);
  const [channel] = (await key.get('/store/channels')).body.channels;
  assert.deepEqual([channel.channel, channel.state], ['printer', 'failing']);
  await shop.printer.switchOn();
  for (let tries = 0; tries < 4; tries += 1) await shop.app.advance({ minutes: 2 });
  const numbers = await Promise.all(orders.map(shop.numberFor));
  assert.equal(shop.printed().length, 3);
  for (const [index, number] of numbers.entries()) assert.ok(shop.printed()[index]?.includes(number));
  for (const text of shop.printed()) assert.doesNotMatch(text, /ALREADY/);
  assert.equal((await key.get('/store/channels')).body.channels[0].state, 'working');
});

test('a ticket that a broken connection leaves in doubt is printed again, and says so', async (t) => {
  const shop = await givenPrinter(t);
  shop.printer.trouble({ dropAfter: 100 });
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  await shop.app.advance({ minutes: 2 });
  assert.match(shop.printed().at(-1) ?? '', /MAY ALREADY BE PRINTED/);
  assert.deepEqual(await shop.noticesOf(orderId), ['offered 0 acknowledged']);
});

test('changed notes are printed on a ticket headed CHANGED, where a ticket was printed before', async (t) => {
  const shop = await givenPrinter(t);
  const update = async (orderId: string, user_dropoff_notes: string, { client, app } = shop) => {
    const { status, text } = await client.post('/order/update', { order_id: orderId, user_dropoff_notes });
    assert.equal(status, 200, text);
    await app.advance({ seconds: 1 });
  };
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  await update(orderId, 'Side door');
  await update(orderId, 'Side door');
  await update(orderId, 'Back door');
  assert.deepEqual(
    shop.printed().map((text) => [/CHANGED/.test(text), /REPRINT/.test(text), /(\w+) door/.exec(text)?.[1]]),
    [
      [false, false, undefined],
      [true, false, 'Side'],
      [true, false, 'Back'],
    ],
  );
  const waiting = await givenPrinter(t, { operator: true, printAt: 'confirmed' });
  const later = await waiting.place();
  await update(later, 'Side door', waiting);
  assert.deepEqual(waiting.printed(), [], 'it has no ticket yet');
  await step(waiting, later, 'confirm');
  assert.match(waiting.printed().at(-1) ?? '', /Side door/);
  assert.doesNotMatch(waiting.printed().at(-1) ?? '', /CHANGED/);
  await update(later, 'Back door', waiting);
  assert.match(waiting.printed().at(-1) ?? '', /CHANGED[\s\S]*Back door/);
});

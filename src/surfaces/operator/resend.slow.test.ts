import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { givenLiveShop, type LiveShop, mailOf, step } from '../../../test/given/live-shop.ts';
import { givenChannel, givenConsole } from '../../../test/given/merchant.ts';
import { givenReceiver } from '../../../test/given/receiver.ts';
import type { Reply } from '../../../test/harness.ts';

async function givenDesk(t: TestContext) {
  const receiver = await givenReceiver();
  t.after(() => receiver.close());
  const shop = await givenLiveShop(t);
  await givenChannel(shop.app, shop.storeId, { email: 'kitchen@example.com' });
  await shop.client.post('/account/tracking/add_webhook', { endpoint: `${receiver.url}/account` });
  const operator = await givenConsole(shop.app, null);
  const orderId = await shop.place({ user_email: 'jane.doe@example.com' });
  await shop.app.advance({ seconds: 5 });
  const path = `/operator/orders/${orderId}`;
  const send = (body: object) => operator.post(`${path}/resend`, body);
  /** Previews and confirms; the response of the refusal if there is one. */
  const resend = async (body: object): Promise<Reply> => {
    const preview = await send({ ...body, preview: true });
    if (preview.status !== 200) return preview;
    const made = await send({ ...body, reason: 'lost', preview_id: preview.body.preview.preview_id });
    await shop.app.advance({ seconds: 5 });
    return made;
  };
  const read = async () => (await operator.get(path)).body;
  return { receiver, shop, operator, orderId, send, resend, read };
}

const statusAndCode = ({ status, body }: Reply) => [status, body.code];
const mailsTo = ({ smtp }: LiveShop, to: string) => smtp.received.filter((mail) => mail.envelope.to.includes(to));

test('a receipt is sent again only to its customer, as a new mail that says so', async (t) => {
  const { shop, orderId, send, resend, read } = await givenDesk(t);
  const { messageId } = await mailOf(shop, orderId);
  assert.equal(mailsTo(shop, 'jane.doe@example.com').length, 1);
  const preview = await send({ message_id: messageId, preview: true });
  assert.deepEqual(preview.body.preview.told, [
    { who: 'customer', by: 'email', what: 'order_confirmation', to: 'j…@example.com' },
  ]);
  const made = await resend({ message_id: messageId });
  assert.equal(made.status, 200, made.text);
  const [first, again, ...more] = mailsTo(shop, 'jane.doe@example.com');
  assert.deepEqual(more, []);
  assert.match(again?.mail.subject ?? '', /^Sent again: Your order from Test Pizzeria/);
  assert.doesNotMatch(first?.mail.subject ?? '', /Sent again/);
  const { messages, actions } = await read();
  assert.deepEqual(
    messages
      .filter(({ kind }: { kind: string }) => kind === 'order_confirmation')
      .map((one: { is_resent: boolean }) => one.is_resent),
    [false, true],
  );
  assert.deepEqual([actions[0].action, actions[0].details.reason], ['order.resend', 'lost']);
});

test('a confirmed preview is sent once, and an order allows ten resends', async (t) => {
  const { shop, orderId, send, resend } = await givenDesk(t);
  const { messageId: id } = await mailOf(shop, orderId);
  const { preview_id } = (await send({ message_id: id, preview: true })).body.preview;
  const clicks = await Promise.all(
    Array.from({ length: 5 }, () => send({ message_id: id, reason: 'lost', preview_id })),
  );
  assert.deepEqual([...new Set(clicks.map(({ status }) => status))], [200]);
  await shop.app.advance({ seconds: 5 });
  assert.equal(mailsTo(shop, 'jane.doe@example.com').length, 2);
  for (let count = 1; count < 10; count += 1) assert.equal((await resend({ message_id: id })).status, 200);
  assert.deepEqual(statusAndCode(await resend({ message_id: id })), [409, 'transition_not_allowed']);
  assert.equal(mailsTo(shop, 'jane.doe@example.com').length, 11);
});

test('an offer is sent again with the same link while the order waits; a webhook call is made again', async (t) => {
  const { receiver, shop, orderId, resend, read } = await givenDesk(t);
  const offers = () => mailsTo(shop, 'kitchen@example.com');
  assert.equal(offers().length, 1);
  const offered = await resend({ channel: 'email' });
  assert.equal(offered.status, 200, offered.text);
  assert.equal(offers().length, 2);
  const linkOf = (text: string) => /console\/order\/[\w-]+/.exec(text)?.[0];
  assert.ok(linkOf(offers()[0]?.mail.text ?? ''));
  assert.equal(linkOf(offers()[1]?.mail.text ?? ''), linkOf(offers()[0]?.mail.text ?? ''));
  const [call] = (await read()).webhook_calls;
  const before = receiver.calls.length;
  assert.equal((await resend({ webhook_id: call.webhook_id })).status, 200);
  assert.equal(receiver.calls.length, before + 1);
  await step(shop, orderId, 'confirm');
  assert.deepEqual(statusAndCode(await resend({ channel: 'email' })), [409, 'transition_not_allowed']);
});

test('items outside the order and absent channels are rejected', async (t) => {
  const { shop, send, resend } = await givenDesk(t);
  const other = await shop.place();
  await shop.app.advance({ seconds: 5 });
  const { messageId } = await mailOf(shop, other);
  for (const body of [
    { message_id: messageId },
    { message_id: 'msg_none' },
    { webhook_id: 'msg_none' },
    { channel: 'sms' },
  ]) {
    assert.deepEqual(statusAndCode(await resend(body)), [404, 'not_found'], JSON.stringify(body));
  }
  for (const body of [{}, { channel: 'console' }, { channel: 'email', message_id: messageId }]) {
    assert.deepEqual(statusAndCode(await send({ ...body, preview: true })), [400, 'invalid_request']);
  }
});

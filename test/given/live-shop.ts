import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createSmtpMailer } from '../../plugins/smtp/smtp.ts';
import type { Message } from '../../src/notify/messages/message.ts';
import { listMessages } from '../../src/notify/messages/messages.db.ts';
import type { SmsSender } from '../../src/notify/outbox/messaging.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import type { AdvanceEvent } from '../../src/ordering/order/order.ts';
import { pizzeria } from '../feed-lines.ts';
import { type App, type AppOptions, type Client, givenOwnApp } from '../harness.ts';
import { givenChannel } from './merchant.ts';
import { orderBody, productTokens } from './orders.ts';
import { givenSmtp, type SmtpReceiver } from './smtp.ts';
import { givenStores } from './stores.ts';

export type LiveShop = {
  app: App;
  client: Client;
  smtp: SmtpReceiver;
  texts: { to: string; body: string }[];
  /** Places a live order without a charge. */
  place(changes?: object): Promise<string>;
  storeId: string;
};

/** A live account with its own mail server; `smsSender` defaults to one that collects messages. */
export async function givenLiveShop(
  t: TestContext,
  smsSender?: SmsSender,
  { env, ...options }: AppOptions = {},
): Promise<LiveShop> {
  const smtp = await givenSmtp();
  // A slow store: long enough that no automatic cancelation interferes.
  const slow = { ORDER_CONFIRM_TIMEOUT_MINUTES: '1440', WEBHOOK_ALLOW_PRIVATE: 'true' };
  const app = await givenOwnApp({ ...options, env: { ...slow, ...env } });
  const texts: LiveShop['texts'] = [];
  const { messaging } = app.service.deps;
  const mailer = createSmtpMailer({ url: smtp.url });
  messaging.mailer = mailer;
  messaging.smsSender = smsSender ?? { sendText: async (text) => void texts.push(text) };
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId);
  const client = await app.givenClient('live');
  const token = (await productTokens(client, storeId)).Soda;
  t.after(async () => {
    await app.close();
    // A test may have replaced it.
    mailer.close();
    await smtp.close();
  });
  const place = async (changes: object = {}) => {
    const cart = { items: [{ product_id: token, quantity: 4 }], charge_user: false, ...changes };
    const reply = await client.post('/order/order/v2', orderBody(token, null, cart));
    assert.equal(reply.status, 200, reply.text);
    return reply.body.order_id as string;
  };
  return { app, client, smtp, texts, place, storeId };
}

/** Takes steps of a store and courier, and runs their consequences. */
export async function step({ app }: LiveShop, orderId: string, ...events: AdvanceEvent[]): Promise<void> {
  for (const event of events) await takeStep(app.service.deps, orderId, { event });
  await app.advance({ seconds: 1 });
}

/** An order's messages in the queue. */
export const rowsOf = ({ app }: LiveShop, orderId: string) => listMessages(app.service.deps.db, orderId);
export const mailOf = async (shop: LiveShop, orderId: string): Promise<Message> => {
  const row = (await rowsOf(shop, orderId)).find(({ kind }) => kind === 'order_confirmation');
  return row ?? assert.fail('no receipt');
};

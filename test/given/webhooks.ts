import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { pizzeria } from '../feed-lines.ts';
import { type AppOptions, type Client, givenOwnApp } from '../harness.ts';
import { orderBody, productTokens } from './orders.ts';
import { type Answerer, givenReceiver, type ReceivedCall } from './receiver.ts';
import { givenStores } from './stores.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an answer and fails where it is not there
export type WebhookAnswer = any;

export async function givenWebhooks(options: AppOptions = {}) {
  const app = await givenOwnApp({ ...options, env: { WEBHOOK_ALLOW_PRIVATE: 'true', ...options.env } });
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const closing: (() => Promise<void>)[] = [];
  return {
    app,
    webhookOf: async (client: Client): Promise<WebhookAnswer> => (await client.get('/account/tracking/webhook')).body,
    /** A receiver, attached to the client's account. */
    async givenEndpoint(client: Client, answer?: Answerer) {
      const receiver = await givenReceiver(answer);
      closing.push(receiver.close);
      const reply = await client.post('/account/tracking/add_webhook', { endpoint: `${receiver.url}/hook` });
      assert.equal(reply.status, 200, reply.text);
      return receiver;
    },
    async placeOrder(client: Client, changes: object = {}): Promise<string> {
      const tokens = await productTokens(client, storeId);
      const body = orderBody(tokens.Soda, null, { charge_user: false, items: [], ...changes });
      const items = [{ product_id: tokens.Soda, quantity: 5 }];
      const reply = await client.post('/order/order/v2', { ...body, items });
      assert.equal(reply.status, 200, reply.text);
      return reply.body.order_id;
    },
    async close() {
      await app.close();
      await Promise.all(closing.map((close) => close()));
    },
  };
}

/** The body, if the official library accepts the call's signature at clock time `at`. */
export function verified(secret: string, call: ReceivedCall, at: Temporal.Instant): WebhookAnswer {
  const now = mock.method(Date, 'now', () => at.epochMilliseconds);
  try {
    return new Webhook(secret).verify(call.body, call.headers);
  } finally {
    now.mock.restore();
  }
}

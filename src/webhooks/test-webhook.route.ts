import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import { TEST_TYPE, testBody } from './call-body.ts';
import { insertCalls } from './calls.db.ts';
import { A_MINUTE_WORDS, createCallLimit } from './calls-a-minute.ts';
import { endpointInUse } from './endpoint-in-use.flow.ts';

const schema = {
  operationId: 'testWebhook',
  tags: ['Webhooks'],
  summary: 'Send a test event to the webhook',
  description: `Makes a signed call of type \`webhook.test\`, which belongs to no order; it is delivered and retried like a call of an order. The request needs no body. ${A_MINUTE_WORDS}`,
  body: Type.Object({}),
  response: {
    200: Type.Object(
      { webhook_id: Type.String({ description: 'Of the call.' }) },
      { description: 'It will be made at once.' },
    ),
  },
};

/** POST /account/tracking/webhook/test. */
export function testWebhookRoute(http: Http, { db, clock }: { clock: Clock; db: Db }): void {
  const takeTurn = createCallLimit(clock);
  http.post(
    '/account/tracking/webhook/test',
    { schema, config: { refuses: ['transition_not_allowed', 'webhook_endpoint_not_allowed'] } },
    async ({ caller }) => {
      const { accountId, mode } = await endpointInUse(db, caller);
      const [webhookId, at] = [randomId('msg_'), clock.now()];
      takeTurn(caller);
      const call = {
        webhookId,
        accountId,
        mode,
        orderId: null,
        sequence: null,
        type: TEST_TYPE,
        body: testBody(at),
      };
      await insertCalls(db, [{ ...call, at, nextAttemptAt: at }]);
      return { webhook_id: webhookId };
    },
  );
}

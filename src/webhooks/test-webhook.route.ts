import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import { limitPerMinute } from '../load/rate-limit.ts';
import { TEST_TYPE, testBody } from './call-body.ts';
import { insertCalls } from './calls.db.ts';
import { endpointInUse } from './endpoint-in-use.flow.ts';
import { CALLS_PER_MINUTE, CALLS_PER_MINUTE_SENTENCE, ownerKey } from './webhook.ts';

const schema = {
  operationId: 'testWebhook',
  tags: ['Webhooks'],
  summary: 'Send a test event to the webhook',
  description: `Makes a signed call of type \`webhook.test\`, which belongs to no order; it is delivered and retried like a call of an order. The request needs no body. ${CALLS_PER_MINUTE_SENTENCE}`,
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
  const count = limitPerMinute(CALLS_PER_MINUTE, clock, CALLS_PER_MINUTE_SENTENCE);
  http.post(
    '/account/tracking/webhook/test',
    { schema, config: { refuses: ['transition_not_allowed', 'webhook_endpoint_not_allowed'] } },
    async ({ caller }) => {
      const { accountId, mode } = await endpointInUse(db, caller);
      const [webhookId, at] = [randomId('msg_'), clock.now()];
      count(ownerKey(caller));
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

import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { invalidRequest } from '../http/request-schema.ts';
import type { Clock } from '../lib/clock.ts';
import { LAST_EPOCH_S } from '../lib/time.ts';
import { limitPerMinute } from '../load/rate-limit.ts';
import { type Replay, replayCalls } from './calls.db.ts';
import { endpointInUse } from './endpoint-in-use.flow.ts';
import { CALLS_PER_MINUTE, CALLS_PER_MINUTE_SENTENCE, ownerKey } from './webhook.ts';

const schema = {
  operationId: 'replayWebhook',
  tags: ['Webhooks'],
  summary: 'Send webhook calls again',
  description: `One call by its id, whatever became of it, or all of events since a time that are not delivered; of orders of the key's mode. ${CALLS_PER_MINUTE_SENTENCE}`,
  example: { body: { webhook_id: '{webhook_id}' } },
  body: Type.Object({
    webhook_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'One call.' })),
    since: Type.Optional(Type.Number({ minimum: 0, maximum: LAST_EPOCH_S, description: 'Epoch seconds.' })),
  }),
  response: {
    200: Type.Object(
      { replayed: Type.Integer({ description: 'How many calls will be made again.' }) },
      { description: 'They are due now.' },
    ),
  },
};

/** POST /account/tracking/webhook/replay. */
export function replayWebhookRoute(http: Http, { db, clock }: { clock: Clock; db: Db }): void {
  const count = limitPerMinute(CALLS_PER_MINUTE, clock, CALLS_PER_MINUTE_SENTENCE);
  http.post(
    '/account/tracking/webhook/replay',
    {
      schema,
      config: { refuses: ['webhook_call_not_found', 'transition_not_allowed', 'webhook_endpoint_not_allowed'] },
    },
    async ({ caller, body }) => {
      const replay = replayOf(body);
      await endpointInUse(db, caller);
      const now = clock.now();
      count(ownerKey(caller));
      const replayed = await replayCalls(db, caller, replay, now);
      if ('webhookId' in replay && replayed === 0) {
        throw new Refusal(
          'webhook_call_not_found',
          `No webhook call of this account's ${caller.mode} orders has that id.`,
        );
      }
      return { replayed };
    },
  );
}

function replayOf({ webhook_id: webhookId, since }: { webhook_id?: string; since?: number }): Replay {
  if (webhookId !== undefined && since === undefined) return { webhookId };
  if (since !== undefined && webhookId === undefined) {
    return { since: Temporal.Instant.fromEpochMilliseconds(Math.floor(since * 1000)) };
  }
  const fault = (name: string, other: string) => ({
    in: 'body' as const,
    name,
    message: since === undefined ? `is required where ${other} is absent` : `must not come with ${other}`,
  });
  throw invalidRequest([fault('webhook_id', 'since'), fault('since', 'webhook_id')]);
}

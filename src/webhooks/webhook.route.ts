import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import type { Clock } from '../lib/clock.ts';
import { isOverlapping } from '../lib/standard-webhook.ts';
import { listCalls } from './calls.db.ts';
import { findEndpoint } from './endpoints.db.ts';
import { presentCall } from './webhook.ts';

const SHOWN_CALLS = 100;

const maybe = <Schema extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const schema = {
  operationId: 'readWebhook',
  tags: ['Webhooks'],
  summary: "The webhook of the key's mode, its signing secret and its last 100 calls",
  description: '`endpoint` and `signing_secret` are null while no webhook is attached.',
  response: {
    200: Type.Object(
      {
        endpoint: maybe(Type.String()),
        signing_secret: maybe(Type.String({ description: 'Standard Webhooks: whsec_ and base64.' })),
        previous_secret_until: maybe(
          Type.String({
            description:
              'ISO 8601: until then the secret before the last rotation signs every call too; null without an overlap.',
          }),
        ),
        enabled: Type.Boolean(),
        deliveries: Type.Array(
          Type.Object({
            webhook_id: Type.String(),
            type: Type.String(),
            order_id: maybe(Type.String()),
            attempts: Type.Integer(),
            last_status: maybe(Type.Integer({ description: 'HTTP status; null when there was no answer.' })),
            next_attempt_at: maybe(Type.String({ description: 'ISO 8601; null unless pending.' })),
            state: Type.Enum(['pending', 'delivered', 'dead']),
          }),
        ),
      },
      { description: 'The webhook.' },
    ),
  },
};

/** GET /account/tracking/webhook. */
export function webhookRoute(http: Http, { db, clock }: { db: Db; clock: Clock }): void {
  http.get('/account/tracking/webhook', { schema }, async ({ caller }) => {
    const [endpoint, calls] = await Promise.all([findEndpoint(db, caller), listCalls(db, caller, SHOWN_CALLS)]);
    const previousUntil = endpoint?.previousSecretUntil ?? null;
    return {
      endpoint: endpoint?.url ?? null,
      signing_secret: endpoint?.secret ?? null,
      previous_secret_until: isOverlapping({ previousUntil }, clock.now()) ? `${previousUntil}` : null,
      enabled: endpoint?.enabled ?? false,
      deliveries: calls.map(presentCall),
    };
  });
}

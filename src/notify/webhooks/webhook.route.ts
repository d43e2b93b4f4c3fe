import type { PublicHttp } from 'doorstep/public-http';
import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { Db } from '../../platform/db/connect.ts';
import { describedObject, optionalNumber } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { isOverlapping, newSigningSecret } from '../../platform/lib/standard-webhook.ts';
import { LAST_EPOCH_S } from '../../platform/lib/time.ts';
import { limitPerMinute } from '../../platform/load/rate-limit.ts';
import { requireActiveEndpoint } from './active-endpoint.flow.ts';
import { endWaitingCalls, insertCalls, listCalls, type Replay, replayCalls } from './calls.db.ts';
import { attachEndpoint, detachEndpoint, findEndpoint } from './endpoints.db.ts';
import { requirePublicUrl } from './public-url.ts';
import {
  CALLS_PER_MINUTE_SENTENCE,
  ownerKey,
  presentCall,
  TEST_TYPE,
  testBody,
  WEBHOOK_CALLS_PER_MINUTE,
} from './webhook.ts';

/*
 * Endpoints of an account for its own webhook: attach, detach, read, rotate the secret, list, replay and test calls.
 */

const MAX_LISTED_CALLS = 100;

const maybe = <Schema extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const WEBHOOKS = { account: { scope: 'webhooks' } } as const;
const ON_A_LAPTOP =
  'For development, forward events to it with `doorstep listen`, or start the service with WEBHOOK_ALLOW_PRIVATE=true.';
const NOT_FOUND_WORDS = "Its hostname couldn't be resolved. Each delivery resolves it again.";

type WebhookDeps = { db: Db; clock: Clock; publicHttp: PublicHttp };

/** Attach, detach and read an account's endpoint; replay and test its calls. */
export function webhookOperations({ clock }: { clock: Clock }) {
  const perMinute = () => limitPerMinute(WEBHOOK_CALLS_PER_MINUTE, clock, CALLS_PER_MINUTE_SENTENCE);
  const [countTest, countReplay] = [perMinute(), perMinute()];
  return [
    operation({
      name: 'addWebhook',
      endpoint: 'POST /account/tracking/add_webhook',
      summary: "Attach a webhook for orders of the key's mode",
      description:
        "A sandbox key sets the endpoint for sandbox orders' events, and a live key the endpoint for live orders' events. Replaces the endpoint, keeps its signing secret, and enables it again if it was disabled.",
      example: { body: { endpoint: 'https://api.example.com/doorstep' } },
      body: Type.Object({
        endpoint: Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'An https URL on a public host that receives order events.',
        }),
      }),
      answer: describedObject('The webhook is attached.', {
        status: Type.String({ description: 'A sentence that names the webhook.' }),
      }),
      refuses: ['webhook_endpoint_not_allowed'],
      on: WEBHOOKS,
    }).run(async ({ db, clock, publicHttp }: WebhookDeps, { by: { caller }, body }) => {
      const { accountId, mode } = caller;
      const { url, isFound } = await requirePublicUrl(publicHttp, body.endpoint, 'endpoint', ON_A_LAPTOP);
      await attachEndpoint(db, { accountId, mode, url, secret: newSigningSecret() }, clock.now());
      const attached = `The webhook ${url} is now attached to your account.`;
      return { status: isFound ? attached : `${attached} ${NOT_FOUND_WORDS}` };
    }),
    operation({
      name: 'removeWebhook',
      endpoint: 'POST /account/tracking/remove_webhook',
      summary: "Detach the webhook of the key's mode",
      description:
        'Deliveries stop, and waiting deliveries become `dead`. A webhook attached later gets a new signing secret, and dead deliveries can be replayed to it.',
      example: { body: { webhook_url: 'https://api.example.com/doorstep' } },
      body: Type.Object({
        webhook_url: Type.String({ minLength: 1, maxLength: 2048, description: 'The attached URL.' }),
      }),
      answer: describedObject('The webhook is detached.', {
        status: Type.String({ description: 'A sentence that names the webhook.' }),
      }),
      refuses: ['webhook_not_found'],
      on: WEBHOOKS,
    }).run((_deps: WebhookDeps, { by: { caller }, save, body }) =>
      save(async (tx) => {
        // Stored in the URL standard's normalized form.
        const url = URL.parse(body.webhook_url)?.href ?? body.webhook_url;
        if (!(await detachEndpoint(tx, caller, url))) {
          const sentence = `This webhook_url is not attached to this account's ${caller.mode} orders. GET /account/tracking/webhook returns the attached one.`;
          throw new Refusal('webhook_not_found', sentence);
        }
        await endWaitingCalls(tx, caller);
        return { status: `The webhook ${url} is no longer attached to your account.` };
      }),
    ),
    operation({
      name: 'readWebhook',
      endpoint: 'GET /account/tracking/webhook',
      summary: "Get the webhook of the key's mode with its last 100 deliveries",
      description:
        'Includes the signing secret. `endpoint` and `signing_secret` are null while no webhook is attached.',
      answer: describedObject('The webhook.', {
        endpoint: maybe(Type.String()),
        signing_secret: maybe(Type.String({ description: 'Standard Webhooks: whsec_ and base64.' })),
        previous_secret_until: maybe(
          Type.String({
            description:
              'Until then, the secret before the last rotation also signs every delivery, in ISO 8601. Null without an overlap.',
          }),
        ),
        enabled: Type.Boolean(),
        deliveries: Type.Array(
          Type.Object({
            webhook_id: Type.String(),
            type: Type.String(),
            order_id: maybe(Type.String()),
            attempts: Type.Integer(),
            last_status: maybe(Type.Integer({ description: 'The HTTP status. Null without a response.' })),
            next_attempt_at: maybe(Type.String({ description: 'In ISO 8601. Null unless pending.' })),
            state: Type.Enum(['pending', 'delivered', 'dead']),
          }),
        ),
      }),
      on: WEBHOOKS,
    }).run(async ({ db, clock }: WebhookDeps, { by: { caller } }) => {
      const [endpoint, calls] = await Promise.all([findEndpoint(db, caller), listCalls(db, caller, MAX_LISTED_CALLS)]);
      const previousUntil = endpoint?.previousSecretUntil ?? null;
      return {
        endpoint: endpoint?.url ?? null,
        signing_secret: endpoint?.secret ?? null,
        previous_secret_until: isOverlapping({ previousUntil }, clock.now()) ? `${previousUntil}` : null,
        enabled: endpoint?.enabled ?? false,
        deliveries: calls.map(presentCall),
      };
    }),
    operation({
      name: 'replayWebhook',
      endpoint: 'POST /account/tracking/webhook/replay',
      summary: 'Replay webhook deliveries',
      description: `Replays one delivery by its ID in any state, or all undelivered events since a given time, for orders of the key's mode. ${CALLS_PER_MINUTE_SENTENCE}`,
      example: { body: { webhook_id: '{webhook_id}' } },
      body: Type.Object({
        webhook_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'One delivery.' })),
        since: optionalNumber(0, LAST_EPOCH_S, 'Epoch seconds.'),
      }),
      answer: describedObject('The deliveries are due now.', {
        replayed: Type.Integer({ description: 'The number of deliveries that will be sent again.' }),
      }),
      refuses: ['webhook_call_not_found', 'transition_not_allowed', 'webhook_endpoint_not_allowed'],
      on: WEBHOOKS,
    }).run(async ({ db }: WebhookDeps, { by: { caller }, body }) => {
      const replay = replayOf(body);
      await requireActiveEndpoint(db, caller);
      const now = clock.now();
      countReplay(ownerKey(caller));
      const replayed = await replayCalls(db, caller, replay, now);
      if ('webhookId' in replay && replayed === 0) {
        const sentence = `There is no delivery with this ID for this account's ${caller.mode} orders.`;
        throw new Refusal('webhook_call_not_found', sentence);
      }
      return { replayed };
    }),
    operation({
      name: 'testWebhook',
      endpoint: 'POST /account/tracking/webhook/test',
      summary: 'Send a test event to the webhook',
      description: `Sends a signed event of type \`webhook.test\`, which belongs to no order. It's delivered and retried like an order's event. The request requires no body. ${CALLS_PER_MINUTE_SENTENCE}`,
      body: Type.Object({}),
      answer: describedObject('The event is sent immediately.', {
        webhook_id: Type.String({ description: "The delivery's ID." }),
      }),
      refuses: ['transition_not_allowed', 'webhook_endpoint_not_allowed'],
      on: WEBHOOKS,
    }).run(async ({ db }: WebhookDeps, { by: { caller }, save }) => {
      const { accountId, mode } = await requireActiveEndpoint(db, caller);
      countTest(ownerKey(caller));
      const webhookId = randomId('msg_');
      return save(async (tx, at) => {
        const call = { webhookId, accountId, mode, orderId: null, sequence: null, type: TEST_TYPE, body: testBody(at) };
        await insertCalls(tx, [{ ...call, at, nextAttemptAt: at }]);
        return { webhook_id: webhookId };
      });
    }),
  ];
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

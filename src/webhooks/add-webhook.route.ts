import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import type { PublicHttp } from '../lib/public-http.ts';
import { newSigningSecret } from '../lib/standard-webhook.ts';
import { attachEndpoint } from './endpoints.db.ts';

const schema = {
  operationId: 'addWebhook',
  tags: ['Webhooks'],
  summary: "Attach a webhook to the orders of the key's mode",
  description:
    'A sandbox key names where sandbox orders are told of, a live key where live ones are. Takes the place of the one before, keeps its signing secret, and switches it on again where it was off.',
  example: { body: { endpoint: 'https://api.example.com/doorstep' } },
  body: Type.Object({
    endpoint: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'An https URL on a public host that is sent order events.',
    }),
  }),
  response: {
    200: Type.Object(
      {
        status: Type.String({
          description: 'A sentence that names the webhook.',
        }),
      },
      { description: 'It is attached.' },
    ),
  },
};

const NOT_FOUND_WORDS = 'Its host name could not be looked up; each call looks it up again.';

/** POST /account/tracking/add_webhook. */
export function addWebhookRoute(
  http: Http,
  { db, clock, publicHttp }: { clock: Clock; db: Db; publicHttp: PublicHttp },
): void {
  http.post(
    '/account/tracking/add_webhook',
    { schema, config: { refuses: ['webhook_endpoint_not_allowed'] } },
    async ({ caller, body }) => {
      const check = await publicHttp.checkUrl(body.endpoint);
      if ('refusal' in check) {
        const fault = { in: 'body', name: 'endpoint', message: 'must be an https URL on a public host' } as const;
        throw new Refusal('webhook_endpoint_not_allowed', check.refusal, { errors: [fault] });
      }
      const { accountId, mode } = caller;
      const { url, isFound } = check;
      await attachEndpoint(db, { accountId, mode, url, secret: newSigningSecret() }, clock.now());
      const attached = `The webhook ${url} is now attached to your account.`;
      return { status: isFound ? attached : `${attached} ${NOT_FOUND_WORDS}` };
    },
  );
}

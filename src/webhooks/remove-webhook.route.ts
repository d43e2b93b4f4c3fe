import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { buryCalls } from './calls.db.ts';
import { detachEndpoint } from './endpoints.db.ts';

const schema = {
  operationId: 'removeWebhook',
  tags: ['Webhooks'],
  summary: "Detach the webhook of the key's mode",
  description:
    'Calls stop, and waiting calls become `dead`. A webhook that is attached later has a new signing secret; dead calls can be replayed to it.',
  example: { body: { webhook_url: 'https://api.example.com/doorstep' } },
  body: Type.Object({
    webhook_url: Type.String({ minLength: 1, maxLength: 2048, description: 'The URL that is attached.' }),
  }),
  response: {
    200: Type.Object(
      { status: Type.String({ description: 'A sentence that names the webhook.' }) },
      { description: 'The webhook is detached.' },
    ),
  },
};

/** POST /account/tracking/remove_webhook. */
export function removeWebhookRoute(http: Http, { db }: { db: Db }): void {
  http.post(
    '/account/tracking/remove_webhook',
    { schema, config: { refuses: ['webhook_not_found'] } },
    async ({ caller, body }) => {
      // An endpoint is stored as the URL standard writes it.
      const url = URL.parse(body.webhook_url)?.href ?? body.webhook_url;
      const isDetached = await db.transaction().execute(async (tx) => {
        if (!(await detachEndpoint(tx, caller, url))) return false;
        await buryCalls(tx, caller);
        return true;
      });
      if (!isDetached) {
        const sentence = `This webhook_url is not attached to this account's ${caller.mode} orders; GET /account/tracking/webhook shows what is.`;
        throw new Refusal('webhook_not_found', sentence);
      }
      return { status: `The webhook ${url} is no longer attached to your account.` };
    },
  );
}

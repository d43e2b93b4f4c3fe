import { Type } from 'typebox';
import { findAccountNames } from '../accounts/accounts.db.ts';
import { findBranding } from '../accounts/brandings.db.ts';
import { trackingSiteOf } from '../accounts/tracking-site.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { listMessages } from '../messages/messages.db.ts';
import { sandboxOutbox } from '../messages/sandbox-outbox.ts';
import { listNotices } from '../offers/store-notices.db.ts';
import { listEvents } from '../orders/order-events.db.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { findAnyOrder } from '../orders/orders.db.ts';
import { findCallOwner, listFailedCalls, replayCalls } from '../webhooks/calls.db.ts';
import { endpointInUse } from '../webhooks/webhook.route.ts';
import { insertAction, listActions } from './actions.db.ts';
import { OrderRecordSchema, presentOrderRecord } from './order-record.ts';

const MAX_ACTIONS = 100;

const readSchema = {
  operationId: 'readAnyOrder',
  tags: ['Operator'],
  summary: 'An order of any account, with everything that followed from it',
  description:
    'Its events, what was sent to its store and its customer, its failed webhook calls, and what operators changed.',
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of any account.' }) }),
  response: { 200: OrderRecordSchema },
};
const replaySchema = {
  operationId: 'replayWebhookCall',
  tags: ['Operator'],
  summary: "Make a call to an account's endpoint again",
  description: 'The call keeps its id and its body, and is due now. The change is recorded.',
  params: Type.Object({ webhook_id: Type.String({ maxLength: 64, description: 'A call of any account.' }) }),
  body: Type.Object({}),
  response: {
    200: Type.Object({ webhook_id: Type.String(), replayed: Type.Literal(true) }, { description: 'It is due now.' }),
  },
};

type Needs = { db: Db; clock: Clock; config: Config };

/** GET /operator/orders/{order_id} and POST /operator/webhook-calls/{webhook_id}/replay. */
export function orderRecordRoutes(http: Http, { db, clock, config }: Needs): void {
  const audience = 'operator' as const;
  const readConfig = { audience, refuses: ['order_not_found'] } as const;
  http.get('/operator/orders/:order_id', { schema: readSchema, config: readConfig }, async ({ params }) => {
    const { order_id: orderId } = params;
    const order = await findAnyOrder(db, orderId);
    if (!order) throw orderNotFound();
    const [events, notices, calls, actions, names] = await Promise.all([
      listEvents(db, orderId),
      listNotices(db, orderId),
      listFailedCalls(db, orderId),
      listActions(db, { target: orderId, limit: MAX_ACTIONS }),
      findAccountNames(db, [order.accountId]),
    ]);
    const branding = await findBranding(db, order.accountId);
    const outbox = { extras: branding, smsCountries: config.smsCountries };
    const messages = order.mode === 'sandbox' ? sandboxOutbox(order, events, outbox) : await listMessages(db, orderId);
    const accountName = names.get(order.accountId) ?? '';
    return presentOrderRecord(
      order,
      { accountName, events, notices, messages, calls, actions },
      trackingSiteOf(branding, config.trackingUrl),
    );
  });

  const refuses = ['not_found', 'transition_not_allowed', 'webhook_endpoint_not_allowed'] as const;
  http.post(
    '/operator/webhook-calls/:webhook_id/replay',
    { schema: replaySchema, config: { audience, refuses } as const },
    async ({ session, params }) => {
      const { webhook_id: webhookId } = params;
      const owner = await findCallOwner(db, webhookId);
      if (!owner) throw new Refusal('not_found', 'There is no such call.');
      await endpointInUse(db, owner);
      const at = clock.now();
      await db.transaction().execute(async (tx) => {
        await replayCalls(tx, owner, { webhookId }, at);
        const { sessionId } = session;
        await insertAction(tx, { at, sessionId, action: 'webhook_call.replay', target: webhookId, details: owner });
      });
      return { webhook_id: webhookId, replayed: true as const };
    },
  );
}

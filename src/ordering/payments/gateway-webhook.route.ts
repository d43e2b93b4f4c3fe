import { Type } from 'typebox';
import type { Db } from '../../platform/db/connect.ts';
import type { Http } from '../../platform/http/http.ts';
import { rawBodyOf } from '../../platform/http/raw-body.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import { insertGatewayEvent } from './gateway-events.db.ts';
import { RECONCILE_CHARGE, RESOLVE_SETUP } from './gateway-jobs.ts';
import type { DisputeNotice, GatewayNotice, Gateways } from './payment-gateway.ts';

const schema = {
  operationId: 'takeGatewayCall',
  summary: "Receive a payment gateway's webhook",
  description:
    "Receives the gateway's reports about charges, disputes and card pages. The signature authorizes the request: without a valid one, it is refused and changes nothing.",
  response: {
    200: Type.Object({ received: Type.Literal(true) }, { description: 'The event was processed or ignored.' }),
  },
};

type WebhookDeps = NoticeDeps & { gateways: Gateways };

/** POST of the gateway's webhook, at the path that the composition chooses. */
export function gatewayWebhookRoute(http: Http, deps: WebhookDeps, path: string): void {
  const refuses = ['payment_gateway_not_configured', 'not_ready'] as const;
  http.post(path, { schema, config: { public: true, uncounted: true, rawBody: true, refuses } }, async (request) => {
    const { notices } = deps.gateways;
    if (!notices) throw new Refusal('payment_gateway_not_configured', "This service doesn't accept gateway webhooks.");
    const { headers } = request;
    const notice = await notices.read({ body: rawBodyOf(request), headers, now: deps.clock.now() });
    if (notice) await takeGatewayNotice(deps, notice);
    return { received: true as const };
  });
}

type NoticeDeps = { db: Db; jobs: Jobs; clock: Clock; reportLeftOut: ReportLeftOut };

/**
 * Queues the work of a webhook, so that the gateway gets its response at once. Jobs read the charge's or page's current
 * state, so repeated and reordered webhooks do no harm.
 */
export async function takeGatewayNotice(deps: NoticeDeps, notice: GatewayNotice): Promise<void> {
  const { db, jobs } = deps;
  switch (notice.kind) {
    case 'setup':
      return jobs.enqueue(db, RESOLVE_SETUP, { setupId: notice.setupId, session: notice.session });
    case 'dispute':
      return takeDispute(deps, notice);
    case 'unreadable':
      return deps.reportLeftOut('gateway_event', 'a dispute could not be read: look at the payment gateway', {});
    default:
      return jobs.enqueue(db, RECONCILE_CHARGE, { chargeId: notice.chargeId });
  }
}

/** Records a dispute for the operator, who must respond at the gateway, because banks settle it between them. */
async function takeDispute({ db, jobs, clock }: NoticeDeps, notice: DisputeNotice): Promise<void> {
  const { eventId, chargeId } = notice;
  await db.transaction().execute(async (tx) => {
    if (!(await insertGatewayEvent(tx, { ...notice, orderId: null }, clock.now()))) return;
    await jobs.enqueue(tx, RECONCILE_CHARGE, { chargeId, eventId });
  });
}

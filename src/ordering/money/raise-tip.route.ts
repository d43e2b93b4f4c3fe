import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { OrderSchema, presentOrder } from '../order/present-order.ts';
import { raiseTip } from './raise-tip.flow.ts';
import { MAX_TIP_CENTS } from './tip.ts';

type TipDeps = Pick<OrderDeps, 'clock' | 'config' | 'db' | 'gateways' | 'jobs' | 'log' | 'trackingSites'>;

/** Raises the tip of a delivery (docs/payments.md#later-tips). */
export const raiseTipOperation = operation({
  name: 'tipOrder',
  endpoint: 'POST /order/tip',
  summary: "Raise a delivery's tip and charge the difference",
  description:
    'Raises the tip from placement until 24 hours after completion. `driver_tip_cents` is the full tip. Sending the same tip again charges nothing, and a lower tip returns an error. If you receive no response, send the same request again.',
  example: { body: { order_id: '{order_id}', driver_tip_cents: 600 } },
  body: Type.Object({
    order_id: Type.String({ minLength: 1, maxLength: 64, description: 'A placed delivery.' }),
    driver_tip_cents: Type.Integer({ minimum: 0, maximum: MAX_TIP_CENTS, description: 'The full tip, in cents.' }),
  }),
  answer: OrderSchema,
  refuses: [
    ...(['payment_declined', 'order_not_found', 'payment_method_not_found', 'transition_not_allowed'] as const),
    ...(['tip_not_allowed', 'too_many_declines', 'upstream_unavailable', 'payment_gateway_not_configured'] as const),
  ],
  on: { account: { scope: 'order' } },
}).run(async (deps: TipDeps, { by: { caller }, body }) => {
  const requested = { orderId: body.order_id, tipCents: body.driver_tip_cents };
  return presentOrder(await raiseTip(deps, caller, requested), deps.trackingSites.siteOf(caller.accountId));
});

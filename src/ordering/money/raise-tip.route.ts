import { Type } from 'typebox';
import type { Http } from '../../platform/http/http.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { OrderSchema, presentOrder } from '../order/present-order.ts';
import { raiseTip } from './raise-tip.flow.ts';
import { MAX_TIP_CENTS } from './tip.ts';

/** POST /order/tip: raises the tip of a delivery (docs/payments.md#later-tips). */
export function raiseTipRoute(
  http: Http,
  deps: Pick<OrderDeps, 'clock' | 'config' | 'db' | 'gateways' | 'jobs' | 'log' | 'trackingSites'>,
): void {
  const schema = {
    operationId: 'tipOrder',
    summary: "Raise a delivery's tip and charge the difference",
    description:
      'Raises the tip from placement until 24 hours after completion. `driver_tip_cents` is the full tip. Sending the same tip again charges nothing, and a lower tip returns an error. If you receive no response, send the same request again.',
    example: { body: { order_id: '{order_id}', driver_tip_cents: 600 } },
    body: Type.Object({
      order_id: Type.String({ minLength: 1, maxLength: 64, description: 'A placed delivery.' }),
      driver_tip_cents: Type.Integer({ minimum: 0, maximum: MAX_TIP_CENTS, description: 'The full tip, in cents.' }),
    }),
    response: { 200: OrderSchema },
  };
  const refuses = [
    ...(['payment_declined', 'order_not_found', 'payment_method_not_found', 'transition_not_allowed'] as const),
    ...(['tip_not_allowed', 'too_many_declines', 'upstream_unavailable', 'payment_gateway_not_configured'] as const),
  ];
  http.post('/order/tip', { schema, config: { scope: 'order', refuses } }, async ({ body, caller }) => {
    const requested = { orderId: body.order_id, tipCents: body.driver_tip_cents };
    return presentOrder(await raiseTip(deps, caller, requested), deps.trackingSites.siteOf(caller.accountId));
  });
}

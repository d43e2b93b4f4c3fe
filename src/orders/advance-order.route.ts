import { Type } from 'typebox';
import { simulateCourier } from '../deliveries/simulated-courier.ts';
import type { Deps } from '../deps.ts';
import type { Http } from '../http.ts';
import { ADVANCE_EVENTS } from './order-events.ts';
import { presentOrder } from './present-order.ts';
import { settleOrder } from './settle-order.flow.ts';
import { takeStep } from './take-step.flow.ts';

const Body = Type.Object({
  event: Type.Enum([...ADVANCE_EVENTS]),
  driver_latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  driver_longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
});

/** POST /sandbox/orders/{order_id}/advance: plays the store or the courier of a sandbox order. */
export function advanceOrderRoute(http: Http, deps: Deps): void {
  const params = Type.Object({ order_id: Type.String({ maxLength: 64 }) });
  const schema = { tags: ['Sandbox'], summary: 'Take the next step of a sandbox order', params, body: Body };
  http.post(
    '/sandbox/orders/:order_id/advance',
    { schema, config: { sandboxOnly: true } },
    async ({ params, body, caller }) => {
      const { event, driver_latitude: latitude, driver_longitude: longitude } = body;
      const told = latitude !== undefined && longitude !== undefined ? { latitude, longitude } : undefined;
      const step = {
        event,
        detailsOf: (order: Parameters<typeof simulateCourier>[0]) => simulateCourier(order, event, told),
      };
      const order = await takeStep(deps, params.order_id, step, caller);
      // The refund has its job; here it is only hurried, so that the answer shows it where the gateway is quick.
      const settled =
        order.chargeState === 'refund_pending' ? await settleOrder(deps, order.orderId).catch(() => order) : order;
      return presentOrder(settled ?? order, deps.config.trackingUrl);
    },
  );
}

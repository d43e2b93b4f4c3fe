import { Type } from 'typebox';
import type { Http } from '../http/http.ts';
import { invalidRequest } from '../http/request-schema.ts';
import { ADVANCE_EVENTS } from '../orders/order.ts';
import type { OrderDeps, ResolveChargeDeps } from '../orders/order-deps.ts';
import { OrderSchema, presentOrder } from '../orders/present-order.ts';
import { tryRefunds } from '../orders/refunds/resolve-refunds.flow.ts';
import { takeStep } from '../orders/take-step.flow.ts';
import type { Position } from './position.ts';
import { simulateCourier } from './simulated-courier.ts';

const Body = Type.Object({
  event: Type.Enum([...ADVANCE_EVENTS], { description: 'What happens next.' }),
  driver_latitude: Type.Optional(
    Type.Number({
      minimum: -90,
      maximum: 90,
      description: 'With `approach`: where the driver is, at most 500 m from the door; else near the door.',
    }),
  ),
  driver_longitude: Type.Optional(
    Type.Number({
      minimum: -180,
      maximum: 180,
      description: 'With `approach`: where the driver is, beside `driver_latitude`.',
    }),
  ),
});

const schema = {
  operationId: 'advanceSandboxOrder',
  tags: ['Sandbox'],
  summary: 'Take the next step of a sandbox order',
  description:
    'Plays the store or the courier. `confirm` and `cancel` come first. Then `ready` (once, optional); for a delivery `assign_driver`, `pick_up`, `approach` (optional) and `complete`, for pickup `complete`; `cancel` until `pick_up` or `complete`.',
  example: { body: { event: 'confirm' } },
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'A placed sandbox order.' }) }),
  body: Body,
  response: { 200: OrderSchema },
};

/** POST /sandbox/orders/{order_id}/advance: plays the store or the courier of a sandbox order. */
export function advanceOrderRoute(http: Http, deps: ResolveChargeDeps & Pick<OrderDeps, 'trackingSites'>): void {
  http.post(
    '/sandbox/orders/:order_id/advance',
    { schema, config: { sandboxOnly: true, refuses: ['order_not_found', 'transition_not_allowed'] } },
    async ({ params, body, caller }) => {
      const { event, driver_latitude: latitude, driver_longitude: longitude } = body;
      const requested = event === 'approach' ? positionOf(latitude, longitude) : undefined;
      const step = {
        event,
        detailsOf: (order: Parameters<typeof simulateCourier>[0]) =>
          simulateCourier(order, event, { baseUrl: deps.config.baseUrl, requested }),
      };
      const order = await takeStep(deps, params.order_id, step, caller);
      return presentOrder(await tryRefunds(deps, order), deps.trackingSites.siteOf(order.accountId));
    },
  );
}

/** Half of a position is nowhere. */
function positionOf(latitude: number | undefined, longitude: number | undefined): Position | undefined {
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  if (latitude === undefined && longitude === undefined) return undefined;
  const [missing, other] =
    latitude === undefined ? ['driver_latitude', 'driver_longitude'] : ['driver_longitude', 'driver_latitude'];
  throw invalidRequest([{ in: 'body', name: missing, message: `is required with ${other}` }]);
}

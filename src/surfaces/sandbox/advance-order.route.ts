import { Type } from 'typebox';
import { isRepeated } from '../../access/idempotency/idempotency.hook.ts';
import { operation } from '../../access/operations/operation.ts';
import type { Position } from '../../fulfillment/deliveries/position.ts';
import { delayOrder } from '../../ordering/money/delay-order.flow.ts';
import { trySettling } from '../../ordering/money/settle-order.flow.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { ADVANCE_EVENTS, type Order } from '../../ordering/order/order.ts';
import type { OrderDeps, ResolveChargeDeps } from '../../ordering/order/order-deps.ts';
import { OrderSchema, presentOrder } from '../../ordering/order/present-order.ts';
import { requireLockedOrder, requireOrder } from '../../ordering/order/require-order.flow.ts';
import { optionalNumber } from '../../platform/http/api-components.ts';
import { contentAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { SHOWN_ANYWHERE } from '../../platform/http/security-headers.ts';
import { simulateWeighing } from './simulate-weighing.flow.ts';
import { DRIVER_PHOTO_PATH, simulatedDetails } from './simulated-courier.ts';
import { DELAY_MINUTES } from './simulated-plan.ts';
import type { Street } from './street-route.ts';

/* The endpoint that plays the store or the courier of a sandbox order, and the driver's photo that it names. */

const Body = Type.Object({
  event: Type.Enum([...ADVANCE_EVENTS, 'delay'], { description: 'The next step.' }),
  driver_latitude: optionalNumber(
    -90,
    90,
    'With `approach`: where the driver is, up to 500 m from the delivery address. Near it when omitted.',
  ),
  driver_longitude: optionalNumber(-180, 180, 'With `approach`: where the driver is, beside `driver_latitude`.'),
});

type AdvanceDeps = ResolveChargeDeps & Pick<OrderDeps, 'tokens' | 'trackingSites'> & { streets: readonly Street[] };

/** Takes a store's or courier's step of a sandbox order. */
export const advanceOrderOperation = operation({
  name: 'advanceSandboxOrder',
  endpoint: 'POST /sandbox/orders/:order_id/advance',
  summary: 'Advance a sandbox order',
  description:
    'Simulates the store or the courier. Starts with `confirm` or `cancel`. Then accepts `delay` (ten minutes, up to three times) and `ready` (optional), which also weighs items sold by weight. A delivery continues with `assign_driver`, `pick_up`, `approach` (optional) and `complete`, a pickup with `complete`. `cancel` is accepted until `pick_up` or `complete`.',
  example: { body: { event: 'confirm' } },
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'A placed sandbox order.' }) }),
  body: Body,
  answer: OrderSchema,
  refuses: ['order_not_found', 'transition_not_allowed'],
  on: { account: { scope: 'order', config: { sandboxOnly: true } } },
}).run(async (deps: AdvanceDeps, { by: { caller }, claim, save, params, body }) => {
  const { event, driver_latitude: latitude, driver_longitude: longitude } = body;
  const show = (order: Order) => presentOrder(order, deps.trackingSites.siteOf(order.accountId));
  if (event === 'delay') {
    return save(async (tx, at) => {
      const locked = await requireLockedOrder(tx, params.order_id, caller);
      return show(await delayOrder(tx, locked, { minutes: DELAY_MINUTES }, at));
    });
  }
  const requested = event === 'approach' ? driverPosition(latitude, longitude) : undefined;
  const step = {
    event,
    detailsOf: (order: Order, now: Temporal.Instant) =>
      simulatedDetails(order, event, { baseUrl: deps.config.baseUrl, streets: deps.streets, requested, now }),
  };
  const take = () => takeStep(deps, params.order_id, step, caller);
  const order = await take().catch(async (error) => {
    const code = error instanceof Refusal ? error.code : '';
    if (code === 'transition_not_allowed' && isRepeated({ claim })) {
      return requireOrder(deps.db, params.order_id, caller);
    }
    if (code !== 'weights_missing') throw error;
    await simulateWeighing(deps, await requireOrder(deps.db, params.order_id, caller));
    return take();
  });
  return show(await trySettling(deps, order));
});

/** `driver_latitude` and `driver_longitude` go together: one without the other is refused. */
function driverPosition(latitude: number | undefined, longitude: number | undefined): Position | undefined {
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  if (latitude === undefined && longitude === undefined) return undefined;
  const [missing, other] =
    latitude === undefined ? ['driver_latitude', 'driver_longitude'] : ['driver_longitude', 'driver_latitude'];
  throw invalidField('body', missing, `is required with ${other}`);
}

/** A drawing, because a photo would show a person. */
const PHOTO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="Sandbox Driver">
<rect width="96" height="96" fill="#d9e6ee"/>
<path d="M12 96c0-20 16-32 36-32s36 12 36 32z" fill="#2f5d73"/>
<path d="M40 60h16v12a8 8 0 0 1-16 0z" fill="#c98f6b"/>
<circle cx="48" cy="44" r="20" fill="#dba57f"/>
<path d="M27 40a21 21 0 0 1 42 0z" fill="#e0533d"/>
<path d="M27 38h50a3 3 0 0 1 0 6H27z" fill="#b93f2c"/>
<circle cx="41" cy="49" r="2.4" fill="#3a2a20"/><circle cx="55" cy="49" r="2.4" fill="#3a2a20"/>
<path d="M41 55q7 6 14 0" fill="none" stroke="#3a2a20" stroke-width="2.4" stroke-linecap="round"/>
</svg>
`;

const photoSchema = {
  operationId: 'readSandboxDriverPhoto',
  summary: "Get the simulated driver's photo",
  description: "Any site's pages may show it, like a real driver's photo.",
  response: { 200: contentAnswer('A drawing, used as `driver_photo_url` in sandbox orders.', ['image/svg+xml']) },
};

/** GET /sandbox/driver.svg may be embedded on any site, like a real driver's photo. */
export function simulatedDriverPhotoRoute(http: Http): void {
  http.get(
    DRIVER_PHOTO_PATH,
    { schema: photoSchema, config: { public: true, uncounted: true }, security: SHOWN_ANYWHERE },
    async (_request, reply) => reply.allowCaching('public, max-age=86400').type('image/svg+xml').send(PHOTO),
  );
}

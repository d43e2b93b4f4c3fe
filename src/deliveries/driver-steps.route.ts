import { Type } from 'typebox';
import type { Sql } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { metresBetween } from '../lib/geo/sphere.ts';
import { epochSeconds } from '../lib/time.ts';
import { advanceOrder, type StepDetails } from '../orders/advance-order.ts';
import type { Order } from '../orders/order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { lockOrder, saveProgress } from '../orders/orders.db.ts';
import { recordStep } from '../orders/take-step.flow.ts';
import { EXAMPLE_DOOR } from '../stores/example-store.ts';
import { linkNotFound, linkOf } from './driver-delivery.flow.ts';
import { CALLS_PER_MINUTE, type DriverLink, isLinkAlive, limitLink } from './driver-link.ts';
import { doorOf, driverPositionOf, isOnTheWay } from './driver-location.ts';
import { type DriverDeps, DriverStateSchema, driverSecurity, LinkParams } from './driver-schema.ts';
import { driverState, mapAppOf } from './driver-view.ts';
import type { Position } from './position.ts';
import { needsIdCheck } from './proof.ts';
import { findProof, saveIdCheck } from './proofs.db.ts';

const StepBody = Type.Object(
  {
    latitude: Type.Optional(
      Type.Number({ minimum: -90, maximum: 90, description: 'Where the phone is, beside `longitude`.' }),
    ),
    longitude: Type.Optional(
      Type.Number({ minimum: -180, maximum: 180, description: 'Where the phone is, beside `latitude`.' }),
    ),
    id_checked: Type.Optional(
      Type.Boolean({ description: 'With `complete`: the driver has seen an ID. Needed for an order with alcohol.' }),
    ),
  },
  { dependentRequired: { latitude: ['longitude'], longitude: ['latitude'] } },
);

const STEPS: Readonly<Record<DriverStep, { operationId: string; summary: string }>> = {
  accept: { operationId: 'acceptDelivery', summary: 'The driver accepts the delivery' },
  pick_up: { operationId: 'pickUpDelivery', summary: 'The driver has picked the order up' },
  complete: { operationId: 'completeDelivery', summary: 'The driver has delivered the order' },
};

const REFUSES = [
  'order_not_found',
  'transition_not_allowed',
  'rate_limited',
  'not_ready',
  'body_too_large',
  'unsupported_media_type',
] as const;

/** POST /driver/{token}/accept, /pick_up and /complete. A repeated step answers 200 and changes nothing. */
export function driverStepsRoutes(http: Http, deps: DriverDeps): void {
  const count = limitLink(CALLS_PER_MINUTE, deps.clock);
  for (const step of ['accept', 'pick_up', 'complete'] as const) {
    const schema = {
      ...STEPS[step],
      tags: ['Drivers'],
      description: 'A step that is done answers 200 and changes nothing. The link is the permission.',
      example: { body: EXAMPLE_DOOR },
      params: LinkParams,
      body: StepBody,
      response: { 200: DriverStateSchema },
    };
    const refuses = step === 'complete' ? ([...REFUSES, 'id_check_required'] as const) : REFUSES;
    http.post(
      `/driver/:token/${step}`,
      { schema, config: { public: true, refuses }, helmet: driverSecurity(deps.config) },
      async ({ params, body, headers }) => {
        count(params.token);
        const { latitude, longitude, id_checked: idChecked } = body;
        const position = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
        const order = await takeDriverStep(deps, linkOf(deps.tokens, params.token), step, { position, idChecked });
        const proof = await findProof(deps.db, order.orderId);
        return driverState({ order, proof }, mapAppOf(headers['user-agent']));
      },
    );
  }
}

type DriverStep = 'accept' | 'pick_up' | 'complete';

/** What the driver says with a step: where the phone is, and whether the driver saw an ID. */
type StepReport = { position?: Position | undefined; idChecked?: boolean | undefined };

/**
 * Takes a step of the driver whose link it is; a step that is done changes nothing. Refuses with order_not_found once the
 * link has ended, with transition_not_allowed, and with id_check_required.
 */
async function takeDriverStep(
  { db, clock }: Pick<OrderDeps, 'db' | 'clock'>,
  { orderId, link }: DriverLink,
  step: DriverStep,
  report: StepReport,
): Promise<Order> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId);
    // A phone repeats the last step where the answer was lost: the link has ended by then.
    const isRepeated = step === 'complete' && order?.status === 'completed' && order.driverLink === link;
    if (order && isRepeated) return order;
    if (!order || !isLinkAlive(order, link)) throw linkNotFound();
    return TAKE[step](tx, order, report, now);
  });
}

type Take = (tx: Sql, order: Order, report: StepReport, now: Temporal.Instant) => Promise<Order>;

const TAKE: Readonly<Record<DriverStep, Take>> = {
  async accept(tx, order, _report, now) {
    if (order.driver.acceptedEpochS !== undefined) return order;
    const accepted = withAcceptance(order, now);
    await saveProgress(tx, accepted);
    return accepted;
  },
  async pick_up(tx, order, report, now) {
    if (isOnTheWay(order)) return order;
    return recordStep(tx, advanceOrder(withAcceptance(order, now), 'pick_up', now, placeOf(report)), now);
  },
  async complete(tx, order, report, now) {
    const step = advanceOrder(order, 'complete', now, { ...placeOf(report), data: distanceOf(order, report) });
    if (report.idChecked) await saveIdCheck(tx, order.orderId, now);
    else if (needsIdCheck(order) && !(await findProof(tx, order.orderId))?.idChecked) throw idCheckRequired();
    return recordStep(tx, step, now);
  },
};

/** Picking up accepts the delivery. */
function withAcceptance(order: Order, now: Temporal.Instant): Order {
  return { ...order, driver: { acceptedEpochS: epochSeconds(now), ...order.driver } };
}

function placeOf({ position }: StepReport): StepDetails {
  return position ? { driver: position } : {};
}

/**
 * The distance between door and driver goes into the event: a wrong position of a phone must not keep a driver from
 * completing a delivery, and a store can see a completion far from the door.
 */
function distanceOf(order: Order, { position = driverPositionOf(order) }: StepReport): Record<string, number> {
  const door = doorOf(order);
  return position && door ? { metres_from_door: Math.round(metresBetween(position, door)) } : {};
}

function idCheckRequired(): Refusal {
  return new Refusal('id_check_required', 'This order has alcohol: confirm with id_checked that you have seen an ID.');
}

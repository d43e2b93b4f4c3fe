import { advanceOrder, allowsStep, type OrderStep } from '../../orders/advance-order.ts';
import type { Driver, Order } from '../../orders/order.ts';
import type { AdvanceEvent } from '../../orders/order-events.ts';
import type { CourierDelivery } from './courier-delivery.ts';
import type { CourierDriver, CourierReport, CourierState } from './courier-gateway.ts';

/** The steps that an order has taken once its courier is so far. */
const STEPS_OF: Readonly<Record<CourierState, readonly AdvanceEvent[]>> = {
  pending: [],
  assigned: ['assign_driver'],
  at_store: ['assign_driver'],
  picked_up: ['assign_driver', 'pick_up'],
  delivered: ['assign_driver', 'pick_up', 'complete'],
  canceled: [],
  returned: [],
};

/**
 * The next step of an order that its courier is further than; undefined where the order is as far. Webhooks may be lost,
 * so one report can bring several steps, each of which is taken in its turn.
 */
export function nextStepOf(order: Order, report: CourierReport, now: Temporal.Instant): OrderStep | undefined {
  const next = STEPS_OF[report.state].find((event) => allowsStep(order, event));
  return next && advanceOrder(order, next, now, { driver: driverOf(report.driver) });
}

/** Whether no driver has the order, or the courier of this delivery: a store may assign a driver of its own instead. */
export function isOfCourier(
  { driverStage, driver }: Order,
  { driverName }: Pick<CourierDelivery, 'driverName'>,
): boolean {
  return driverStage === 'none' || (driver.name ?? null) === driverName;
}

/** The order without the courier that gave up before pick-up: a later step assigns the next driver. */
export function withoutCourier(order: Order): Order {
  return { ...order, driver: {}, driverStage: 'none' };
}

/**
 * The order with what the courier's company says of the driver; another driver's name replaces all that was known. The
 * same order where that is nothing new.
 */
export function withDriver(order: Order, courier: CourierDriver): Order {
  const { driver } = order;
  const said = driverOf(courier);
  if (said.name !== undefined && said.name !== driver.name) return { ...order, driver: said };
  const isKnown =
    (said.phone ?? driver.phone) === driver.phone &&
    (said.vehicleType ?? driver.vehicleType) === driver.vehicleType &&
    (said.photoUrl ?? driver.photoUrl) === driver.photoUrl;
  return isKnown ? order : { ...order, driver: { ...driver, ...said } };
}

function driverOf({ name, phone, vehicleType, photoUrl }: CourierDriver): Driver {
  return {
    ...(name === undefined ? {} : { name }),
    ...(phone === undefined ? {} : { phone }),
    ...(vehicleType === undefined ? {} : { vehicleType }),
    ...(photoUrl === undefined ? {} : { photoUrl }),
  };
}

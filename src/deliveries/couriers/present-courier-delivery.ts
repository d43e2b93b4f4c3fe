import type { CourierDelivery } from './courier-delivery.ts';

/** A courier's delivery for an operator, as `orders show` lists it (docs/couriers.md#states). */
export function presentCourierDelivery(delivery: CourierDelivery) {
  return {
    attempt: delivery.attempt,
    gateway: delivery.gateway,
    state: delivery.state,
    fee_cents: delivery.feeCents,
    currency: delivery.currency,
    tracking_url: delivery.trackingUrl,
    proof_url: delivery.proofUrl,
    driver_name: delivery.driverName,
    wanted: delivery.isWanted,
    canceled_too_late: delivery.isTooLate,
    last_error: delivery.lastError,
    next_call_at: delivery.nextCallAt?.toString() ?? null,
  };
}

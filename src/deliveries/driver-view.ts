import { type Html, markupOf } from '../lib/html.ts';
import type { Order } from '../orders/order.ts';
import { actionSection, behindSection, nowSection, proofSection, stopsSection } from './driver-sections.ts';
import type { DriverPart, DriverStageShown, DriverState } from './driver-state.ts';
import type { MapApp } from './map-link.ts';
import type { Proof } from './proofs.db.ts';

/** A delivery as its driver sees it. */
export type Delivery = { order: Order; proof: Proof | undefined };

export function driverParts(delivery: Delivery, maps: MapApp): Record<DriverPart, Html> {
  const stage = stageOf(delivery.order);
  return {
    now: nowSection(delivery.order, stage),
    stops: stopsSection(delivery.order, stage, maps),
    proof: proofSection(delivery, stage),
    behind: behindSection(delivery.order, stage, maps),
    action: actionSection(stage),
  };
}

export function driverState(delivery: Delivery, maps: MapApp): DriverState {
  const parts = driverParts(delivery, maps);
  return {
    stage: stageOf(delivery.order),
    parts: {
      now: markupOf(parts.now),
      stops: markupOf(parts.stops),
      proof: markupOf(parts.proof),
      behind: markupOf(parts.behind),
      action: markupOf(parts.action),
    },
  };
}

export function stageOf({ status, driverStage, driver }: Order): DriverStageShown {
  if (status === 'completed') return 'delivered';
  if (driverStage === 'picked_up' || driverStage === 'nearby') return driverStage;
  return driver.acceptedEpochS === undefined ? 'assigned' : 'accepted';
}

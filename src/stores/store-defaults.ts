import type { PickupOffer, Scheduling } from './store.ts';

/** Defaults of a store (docs/feeds.md#pickup-delivery-scheduling): it does not offer a mode that its feed does not describe. */
export const NO_OFFER: PickupOffer = { enabled: false, accepting: true, prepMinutes: [10, 20] };
export const DEFAULT_RADIUS_MILES = 5;
export const NO_SCHEDULING: Scheduling = {
  enabled: false,
  slotMinutes: 30,
  leadMinutes: 60,
  daysAhead: 3,
  capacity: null,
};

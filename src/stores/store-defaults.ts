import type { PickupOffer, Scheduling } from './store.ts';

/**
 * What a store is where nobody says otherwise (docs/feeds.md#the-store): a mode that is not described is not offered.
 */
export const NO_OFFER: PickupOffer = { enabled: false, accepting: true, prepMinutes: [10, 20] };
export const DEFAULT_RADIUS_MILES = 5;
export const NO_SCHEDULING: Scheduling = {
  enabled: false,
  slotMinutes: 30,
  leadMinutes: 60,
  daysAhead: 3,
  capacity: null,
};

import type { DeliveryParty, DeliveryZone, PartyKind, PickupOffer, Reach, Scheduling } from './store.ts';

/** Defaults of a store (docs/feeds.md#pickup-delivery-scheduling): it does not offer a mode that its feed does not describe. */
export const NO_OFFER: PickupOffer = { enabled: false, accepting: true, prepMinutes: [10, 20] };
export const DEFAULT_RADIUS_MILES = 5;

/** A zone on the terms of its party. */
export function plainZone(reach: Reach): DeliveryZone {
  return { reach, deliveryFee: null, orderMinimumCents: null, prepMinutes: null };
}

/** A party that delivers within a distance of the store, on the store's own terms. */
export function plainParty(party: PartyKind = 'first', radiusMiles: number = DEFAULT_RADIUS_MILES): DeliveryParty {
  return { party, accepting: true, zones: [plainZone({ radiusMiles })], fees: null, prepMinutes: null };
}

export const NO_SCHEDULING: Scheduling = {
  enabled: false,
  slotMinutes: 30,
  leadMinutes: 60,
  daysAhead: 3,
  capacity: null,
};

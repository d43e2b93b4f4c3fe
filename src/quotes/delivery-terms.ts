import { milesBetween } from '../lib/geo/sphere.ts';
import { percentOf } from '../lib/money.ts';
import type { DeliveryParty, DeliveryZone, Fees, PartyKind, Store } from '../stores/store.ts';
import { estimateDelivery, type TimeEstimate } from '../stores/time-estimate.ts';
import { type Door, preparationOf, zoneAtDoor } from '../stores/zone-at-door.ts';
import { deliveryRateAt } from './price-order.ts';

/** How a customer wants the party chosen that delivers (docs/behaviour.md#parties-and-zones); the first is the default. */
export const QUOTE_PREFERENCES = ['first_available', 'first_party', 'cheapest', 'fastest'] as const;

export type QuotePreference = (typeof QUOTE_PREFERENCES)[number];

/** The terms on which one party delivers to a door. `fees` are the store's, with what party and zone ask instead. */
export type DeliveryTerms = { party: PartyKind; fees: Fees; estimate: TimeEstimate };

type Delivering = Pick<Store, 'latitude' | 'longitude' | 'delivery' | 'fees'>;

/**
 * The terms of the party that the preference chooses among those that deliver to the door
 * (docs/behaviour.md#parties-and-zones). `not_accepting`: the parties that reach the door take no orders now, or no
 * party does.
 */
export function deliveryTermsAt(
  store: Delivering,
  door: Door,
  preference: QuotePreference,
): DeliveryTerms | 'not_accepting' | 'out_of_range' {
  const { parties } = store.delivery;
  if (!parties.some((party) => party.accepting)) return 'not_accepting';
  const miles = milesBetween(store, door);
  let best: DeliveryTerms | undefined;
  let isReached = false;
  for (const party of parties) {
    const zone = zoneAtDoor(party, door, miles);
    isReached ||= zone !== undefined;
    if (!zone || !party.accepting) continue;
    const terms = termsOf(store, party, zone, miles);
    if (!best || isPreferred(terms, best, preference, store.fees.orderMinimumCents)) best = terms;
  }
  return best ?? (isReached ? 'not_accepting' : 'out_of_range');
}

function termsOf(store: Delivering, party: DeliveryParty, zone: DeliveryZone, miles: number): DeliveryTerms {
  const prepMinutes = preparationOf(store.delivery, party, zone);
  return { party: party.party, fees: feesOf(store.fees, party, zone), estimate: estimateDelivery(prepMinutes, miles) };
}

/** The fees of the zone, else of the party, else of the store, one by one. */
function feesOf(fees: Fees, { fees: own }: DeliveryParty, { deliveryFee, orderMinimumCents }: DeliveryZone): Fees {
  if (own === null && deliveryFee === null && orderMinimumCents === null) return fees;
  return {
    ...fees,
    deliveryFee: deliveryFee ?? own?.deliveryFee ?? fees.deliveryFee,
    serviceFee: own?.serviceFee ?? fees.serviceFee,
    smallOrderFee: own?.smallOrderFee ?? fees.smallOrderFee,
    orderMinimumCents: orderMinimumCents ?? own?.orderMinimumCents ?? fees.orderMinimumCents,
  };
}

/**
 * Whether the preference chooses `terms` over those of an earlier party. Equal terms leave the choice with the earlier
 * party; where the store itself does not reach the door, `first_party` is `first_available`.
 */
function isPreferred(
  terms: DeliveryTerms,
  before: DeliveryTerms,
  preference: QuotePreference,
  subtotalCents: number,
): boolean {
  const isOwn = Number(terms.party === 'first') - Number(before.party === 'first');
  if (preference === 'first_party' && isOwn !== 0) return isOwn > 0;
  const slower = terms.estimate.maxMinutes - before.estimate.maxMinutes;
  const dearer = deliveryCents(terms, subtotalCents) - deliveryCents(before, subtotalCents);
  return preference === 'cheapest' ? (dearer || slower) < 0 : (slower || dearer) < 0;
}

/** The fee for a delivery of that subtotal, in cents. A fee over the maximum of an order is compared like any other. */
function deliveryCents({ fees }: DeliveryTerms, subtotalCents: number): number {
  const { flatCents, percent } = deliveryRateAt(fees.deliveryFee, null, subtotalCents);
  return flatCents + percentOf(percent, subtotalCents);
}

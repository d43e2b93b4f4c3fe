import { areaHolds } from '../lib/geo/area.ts';
import type { DeliveryOffer, DeliveryParty, DeliveryZone } from './store.ts';

/** Where an order is brought, in degrees. */
export type Door = { latitude: number; longitude: number };

/** The first zone of the party that holds the door, `miles` from the store, counts. */
export function zoneAtDoor({ zones }: DeliveryParty, door: Door, miles: number): DeliveryZone | undefined {
  return zones.find((zone) => holdsDoor(zone, door, miles));
}

function holdsDoor({ reach }: DeliveryZone, door: Door, miles: number): boolean {
  return 'area' in reach ? areaHolds(reach.area, door.longitude, door.latitude) : miles <= reach.radiusMiles;
}

export function preparationOf(
  offer: DeliveryOffer,
  party: DeliveryParty,
  zone: DeliveryZone,
): readonly [number, number] {
  return zone.prepMinutes ?? party.prepMinutes ?? offer.prepMinutes;
}

/** The shortest preparation for the door among the parties that take orders; undefined where none reaches it. */
export function preparationAtDoor(
  offer: DeliveryOffer,
  door: Door,
  miles: number,
): readonly [number, number] | undefined {
  let least: readonly [number, number] | undefined;
  for (const party of offer.parties) {
    const zone = party.accepting ? zoneAtDoor(party, door, miles) : undefined;
    const own = zone && preparationOf(offer, party, zone);
    if (own && (!least || own[0] < least[0])) least = own;
  }
  return least;
}

/** Whether all zones of all parties that take orders have one preparation, so that no door matters. */
export function hasOnePreparation(offer: DeliveryOffer): boolean {
  const all = offer.parties
    .filter(({ accepting }) => accepting)
    .flatMap((party) => party.zones.map((zone) => preparationOf(offer, party, zone)[0]));
  return all.every((minutes) => minutes === all[0]);
}

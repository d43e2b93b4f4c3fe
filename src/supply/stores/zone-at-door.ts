import { areaContains } from 'doorstep/search-engine/geography';
import type { DeliveryParty, DeliverySettings, DeliveryZone } from './store.ts';

/** Coordinate of a delivery address, in degrees. */
export type Door = { latitude: number; longitude: number };

/** Returns the party's first zone that contains the address; `miles` is its distance from the store. */
export function zoneAtDoor({ zones }: DeliveryParty, door: Door, miles: number): DeliveryZone | undefined {
  return zones.find(({ reach }) =>
    'area' in reach ? areaContains(reach.area, door.longitude, door.latitude) : miles <= reach.radiusMiles,
  );
}

export function preparationOf(
  delivery: DeliverySettings,
  party: DeliveryParty,
  zone: DeliveryZone,
): readonly [number, number] {
  return zone.prepMinutes ?? party.prepMinutes ?? delivery.prepMinutes;
}

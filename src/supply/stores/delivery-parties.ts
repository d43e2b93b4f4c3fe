import { type Static, Type } from 'typebox';
import { bool, component, integer, orNull, text } from '../../platform/http/api-components.ts';
import type { DeliverySettings, DeliveryZone } from './store.ts';

/** A store's delivery parties and where they deliver, for its console, operators and commands. */
export const DeliveryPartiesSchema = Type.Array(
  component('DeliveryParty', 'A delivery provider and its delivery area.', {
    party: Type.Enum(['first', 'third', 'courier'], { description: 'The store itself, a marketplace or a courier.' }),
    accepting: bool('Whether this provider takes orders while the store accepts deliveries.'),
    reach: text('The delivery area: `within 3 miles`, `in an area` or `in 2 zones`.'),
    zones: integer('The number of delivery zones.'),
    radius_miles: orNull(
      Type.Number(),
      'The radius of its only zone. Null if that zone is an area, or if there are several zones.',
    ),
  }),
  { description: "The delivery providers and their areas. Empty if the store doesn't deliver." },
);

export function presentParties({ enabled, parties }: DeliverySettings): Static<typeof DeliveryPartiesSchema> {
  if (!enabled) return [];
  return parties.map(({ party, accepting, zones }) => ({
    party,
    accepting,
    reach: reachInWords(zones),
    zones: zones.length,
    radius_miles: radiusOf(zones),
  }));
}

function radiusOf([zone, ...others]: readonly DeliveryZone[]): number | null {
  return zone && others.length === 0 && 'radiusMiles' in zone.reach ? zone.reach.radiusMiles : null;
}

function reachInWords(zones: readonly DeliveryZone[]): string {
  const [zone, ...others] = zones;
  if (!zone || others.length > 0) return `in ${zones.length} zones`;
  if ('area' in zone.reach) return 'in an area';
  const { radiusMiles } = zone.reach;
  return `within ${radiusMiles} ${radiusMiles === 1 ? 'mile' : 'miles'}`;
}

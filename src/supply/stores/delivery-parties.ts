import { type Static, Type } from 'typebox';
import { component, orNull } from '../../platform/http/api-components.ts';
import type { DeliverySettings, DeliveryZone } from './store.ts';

/** A store's delivery parties and where they deliver, for its console, operators and commands. */
export const DeliveryPartiesSchema = Type.Array(
  component('DeliveryParty', 'One way to the doors that it reaches.', {
    party: Type.Enum(['first', 'third', 'courier'], { description: 'The store itself, a marketplace, a courier.' }),
    accepting: Type.Boolean({ description: 'Whether this party takes orders, while the store accepts deliveries.' }),
    reach: Type.String({ description: 'Where it delivers: `within 3 miles`, `in an area` or `in 2 zones`.' }),
    zones: Type.Integer({ description: 'How many zones it delivers in.' }),
    radius_miles: orNull(Type.Number(), 'Of its only zone; null where that is an area, and for several zones.'),
  }),
  { description: 'The parties that deliver, and where; empty where the store offers no delivery.' },
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

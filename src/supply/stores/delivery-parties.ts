import { type Static, Type } from 'typebox';
import { named } from '../../platform/http/api-components.ts';
import type { DeliverySettings, DeliveryZone } from './store.ts';

/** The parties of a store and their reach, as its console, its operators and its commands show them. */
export const DeliveryPartiesSchema = Type.Array(
  Type.Object(
    {
      party: Type.Enum(['first', 'third', 'courier'], { description: 'The store itself, a marketplace, a courier.' }),
      accepting: Type.Boolean({ description: 'Whether this party takes orders, while the store accepts deliveries.' }),
      reach: Type.String({ description: 'Where it delivers: `within 3 miles`, `in an area` or `in 2 zones`.' }),
    },
    named('DeliveryParty', 'One way to the doors that it reaches.'),
  ),
  { description: 'The parties that deliver, and where; empty where the store offers no delivery.' },
);

export function presentParties({ enabled, parties }: DeliverySettings): Static<typeof DeliveryPartiesSchema> {
  if (!enabled) return [];
  return parties.map(({ party, accepting, zones }) => ({ party, accepting, reach: reachInWords(zones) }));
}

function reachInWords(zones: readonly DeliveryZone[]): string {
  const [zone, ...others] = zones;
  if (!zone || others.length > 0) return `in ${zones.length} zones`;
  if ('area' in zone.reach) return 'in an area';
  const { radiusMiles } = zone.reach;
  return `within ${radiusMiles} ${radiusMiles === 1 ? 'mile' : 'miles'}`;
}

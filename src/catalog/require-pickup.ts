import { Refusal } from '../http/refusal.ts';
import type { Store } from '../stores/store.ts';

/** Without a catalogue the store's modes are unknown: its quote says so in either mode (docs/behaviour.md#inventory). */
export function requirePickup({ pickup, hasCatalogue }: Pick<Store, 'pickup' | 'hasCatalogue'>): void {
  if (pickup.enabled || !hasCatalogue) return;
  throw new Refusal('pickup_not_supported', 'This store does not offer pickup.');
}

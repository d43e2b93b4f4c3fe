import type { Place } from '../imports/open-data/place.ts';
import { openStateAt } from '../stores/open-state.ts';
import { timeZoneAt } from '../stores/time-zone.ts';

/** By its hours on its own clock; a place of unknown hours, or one that is closed for a time, is not. */
export function isPlaceOpen(place: Place, now: Temporal.Instant): boolean {
  const { hours, status, latitude, longitude, country } = place;
  if (hours === null || status !== 'OPERATIONAL') return false;
  return openStateAt(hours, timeZoneAt(latitude, longitude, country ?? 'US'), now).open;
}

import type { Place } from '../imports/open-data/place.ts';
import { openStateAt } from '../stores/open-state.ts';
import { timeZoneAt } from '../stores/time-zone.ts';

/** By the hours of the place on its own clock. A place with unknown hours, or closed for a time, is not open. */
export function isPlaceOpen(place: Place, now: Temporal.Instant): boolean {
  const { hours, status, latitude, longitude, country } = place;
  if (hours === null || status !== 'OPERATIONAL') return false;
  return openStateAt(hours, timeZoneAt(latitude, longitude, country ?? 'US'), now).open;
}

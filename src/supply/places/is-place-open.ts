import { completeHours } from '../stores/hours.ts';
import { exceptionsOfRules } from '../stores/hours-rules.ts';
import { storeOpenStateAt } from '../stores/open-state.ts';
import { timeZoneAt } from '../stores/time-zone.ts';
import type { Place } from './place.ts';

/**
 * Whether a place is open by the hours in its own zone, including single dates. A place with unknown hours, or a
 * temporarily closed place, is not.
 */
export function isPlaceOpen(place: Place, now: Temporal.Instant): boolean {
  const { hours, datedRules, status, latitude, longitude, country, address } = place;
  if (hours === null || status !== 'OPERATIONAL') return false;
  const timeZone = timeZoneAt(latitude, longitude, country ?? 'US', address.state);
  // A range that began the evening before may extend into New Year's Day.
  const today = now.toZonedDateTimeISO(timeZone);
  const years = new Set([today.subtract({ days: 1 }).year, today.year]);
  const hoursExceptions = datedRules
    ? [...years].flatMap((year) => exceptionsOfRules([{ channel: null, rules: datedRules }], year))
    : [];
  const opening = { hours: completeHours({ operational: hours }), hoursExceptions, timeZone, pausedUntil: null };
  return storeOpenStateAt(opening, 'operational', now).open;
}

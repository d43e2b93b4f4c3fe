import type { Place } from '../imports/open-data/place.ts';
import { completeHours } from '../stores/hours.ts';
import { osmExceptions } from '../stores/osm-dated-hours.ts';
import { storeOpenStateAt } from '../stores/store-open-state.ts';
import { timeZoneAt } from '../stores/time-zone.ts';

/**
 * By the hours of the place on its own clock, hours of single dates included. A place with unknown hours, or closed for a
 * time, is not open.
 */
export function isPlaceOpen(place: Place, now: Temporal.Instant): boolean {
  const { hours, datedRules, status, latitude, longitude, country } = place;
  if (hours === null || status !== 'OPERATIONAL') return false;
  const timeZone = timeZoneAt(latitude, longitude, country ?? 'US');
  // A range of the evening before may reach into New Year's Day.
  const today = now.toZonedDateTimeISO(timeZone);
  const years = new Set([today.subtract({ days: 1 }).year, today.year]);
  const hoursExceptions = datedRules ? [...years].flatMap((year) => osmExceptions(datedRules, year)) : [];
  const opening = { hours: completeHours({ operational: hours }), hoursExceptions, timeZone, pausedUntil: null };
  return storeOpenStateAt(opening, 'operational', now).open;
}

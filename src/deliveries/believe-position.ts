import { metresBetween } from '../lib/geo/sphere.ts';
import { epochSeconds } from '../lib/time.ts';
import type { DriverMove } from './driver-moved.ts';
import { driverPositionOf, type Trip } from './driver-whereabouts.ts';

/** A report of a driver's page. `accuracy` in metres; `ageSeconds` since the phone measured it. */
export type PositionReport = DriverMove & { accuracy?: number | undefined; ageSeconds?: number | undefined };

/** A phone without satellites guesses from its mobile cell: such a position is of no use on a map of streets. */
export const MAX_ACCURACY_METRES = 1000;
/** An older position, kept over a dead spot, says nothing of now. */
export const MAX_AGE_SECONDS = 120;
/** A phone that is this sure of a position is believed, however far the position is from the last one. */
const SURE_METRES = 100;
/** Metres a second of no road vehicle, 250 km/h. */
const MAX_JUMP_SPEED = 70;

/** Whether a report says where the driver is: not too vague, not too old, and no jump that only an error of the phone explains. */
export function isBelievable(trip: Trip, report: PositionReport, now: Temporal.Instant): boolean {
  const { accuracy = 0, ageSeconds = 0 } = report;
  if (accuracy > MAX_ACCURACY_METRES || ageSeconds > MAX_AGE_SECONDS) return false;
  const from = driverPositionOf(trip);
  const { updatedEpochS } = trip.driver;
  if (!from || updatedEpochS === undefined) return true;
  const seconds = Math.max(1, epochSeconds(now) - updatedEpochS);
  return accuracy <= SURE_METRES || metresBetween(from, report) <= MAX_JUMP_SPEED * seconds;
}

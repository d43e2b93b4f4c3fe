import { METRES_PER_MILE } from '../lib/geo/sphere.ts';
import { TYPICAL_MILES_PER_HOUR, travelMinutes } from '../stores/time-estimate.ts';

/** Straight-line speed of a delivery in town, in metres a second. */
export const TYPICAL_SPEED = (TYPICAL_MILES_PER_HOUR * METRES_PER_MILE) / 3600;
/** The lowest speed that an estimate assumes: a driver at a red light drives on. */
export const MIN_SPEED = 1.5;
/** Straight-line speed on a motorway; a faster report is an error of the phone. */
export const MAX_SPEED = 25;
/** The time after which two thirds of an estimate come from newer reports: longer than a wait at lights. */
const SMOOTHING_SECONDS = 120;

/** A move of a driver: straight-line metres, and the seconds since the report before. */
export type Leg = { metres: number; seconds: number };

/**
 * The recent speed of a driver after one more move, in straight-line metres a second, always within MIN_SPEED and
 * MAX_SPEED. A driver without a report has the typical speed. Longer moves weigh more.
 */
export function recentSpeed(before: number | undefined, leg: Leg): number {
  const known = clamp(before ?? TYPICAL_SPEED);
  if (before === undefined || leg.seconds <= 0) return known;
  const weight = 1 - Math.exp(-leg.seconds / SMOOTHING_SECONDS);
  return known + (clamp(leg.metres / leg.seconds) - known) * weight;
}

/**
 * Whole minutes that a driver still needs to a door this many straight-line metres away; a minute at least. Without a
 * recent speed it is the time that quotes assume.
 */
export function minutesToArrive(metres: number, speed: number | undefined): number {
  if (speed === undefined) return travelMinutes(metres / METRES_PER_MILE);
  return Math.max(1, Math.ceil(metres / clamp(speed) / 60));
}

function clamp(speed: number): number {
  return Math.min(MAX_SPEED, Math.max(MIN_SPEED, speed));
}

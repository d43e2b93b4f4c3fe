import { metresBetween } from '../lib/geo/sphere.ts';

export type Position = { latitude: number; longitude: number };

/** A driver this close to the door is near (decisions, section 10). */
const NEAR_METRES = 500;
/** What a phone reports of one that stands still; no direction can be told from less. */
const LEAST_MOVE_METRES = 5;

export function isNear(a: Position, b: Position): boolean {
  return metresBetween(a, b) <= NEAR_METRES;
}

/** The way from one place to another in whole degrees from north; undefined where they are hardly apart. */
export function courseBetween(from: Position, to: Position): number | undefined {
  if (metresBetween(from, to) < LEAST_MOVE_METRES) return undefined;
  const radians = Math.PI / 180;
  const [lat1, lat2] = [from.latitude * radians, to.latitude * radians];
  const across = (to.longitude - from.longitude) * radians;
  const y = Math.sin(across) * Math.cos(lat2);
  const x = Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(across);
  return Math.round(Math.atan2(y, x) / radians + 360) % 360;
}

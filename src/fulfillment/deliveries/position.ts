import { metersBetween } from 'doorstep/search-engine/geography';

export type Position = { latitude: number; longitude: number };

/** Maximum distance for a driver to count as near the address (docs/orders.md#statuses-and-steps). */
export const NEAR_METERS = 500;
/** Minimum distance of a move; a shorter one is GPS noise and has no direction. */
const MIN_MOVE_METERS = 5;

export const isNear = (a: Position, b: Position): boolean => metersBetween(a, b) <= NEAR_METERS;

/** Returns the bearing from one position to another in whole degrees from north; undefined if the move is too short. */
export function bearingBetween(from: Position, to: Position): number | undefined {
  if (metersBetween(from, to) < MIN_MOVE_METERS) return undefined;
  const radians = Math.PI / 180;
  const [lat1, lat2] = [from.latitude * radians, to.latitude * radians];
  const across = (to.longitude - from.longitude) * radians;
  const y = Math.sin(across) * Math.cos(lat2);
  const x = Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(across);
  return Math.round(Math.atan2(y, x) / radians + 360) % 360;
}

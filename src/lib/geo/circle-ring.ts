import type { Position, Ring } from './area.ts';
import { EARTH_RADIUS_MILES } from './sphere.ts';

const RADIANS = Math.PI / 180;
/** A tenth of a metre. */
const DECIMALS = 1e6;

/** A closed ring of that many corners on the circle of a radius in miles around a point; an edge lies within the circle. */
export function circleRing(centre: { latitude: number; longitude: number }, miles: number, corners: number): Ring {
  const arc = miles / EARTH_RADIUS_MILES;
  const phi = centre.latitude * RADIANS;
  const ring = Array.from({ length: corners }, (_, n): Position => {
    const bearing = (2 * Math.PI * n) / corners;
    const sine = Math.sin(phi) * Math.cos(arc) + Math.cos(phi) * Math.sin(arc) * Math.cos(bearing);
    const east = Math.sin(bearing) * Math.sin(arc) * Math.cos(phi);
    const turn = Math.atan2(east, Math.cos(arc) - Math.sin(phi) * sine);
    return [rounded(centre.longitude + turn / RADIANS), rounded(Math.asin(sine) / RADIANS)];
  });
  return [...ring, ...ring.slice(0, 1)];
}

function rounded(degrees: number): number {
  return Math.round(degrees * DECIMALS) / DECIMALS;
}

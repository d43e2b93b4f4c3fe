export const METERS_PER_MILE = 1609.344;

/** The mean earth radius of the IUGG, 6371.0088 km, in miles of 1.609344 km. */
export const EARTH_RADIUS_MILES = 6371.0088 / 1.609344;

const RADIANS = Math.PI / 180;

/** A point on the unit sphere. */
export type UnitVector = { x: number; y: number; z: number };

export function unitVectorAt(latitude: number, longitude: number): UnitVector {
  const phi = latitude * RADIANS;
  const lambda = longitude * RADIANS;
  const ring = Math.cos(phi);
  return { x: ring * Math.cos(lambda), y: ring * Math.sin(lambda), z: Math.sin(phi) };
}

/**
 * Converts a squared chord of the unit sphere to miles. Chords sort points as distances do, in three multiplications.
 */
export const milesOfChord = (chordSquared: number): number =>
  2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(chordSquared) / 2));

/** Converts a squared chord to miles, rounded to a hundredth as in answers. */
export const roundedMilesOfChord = (chordSquared: number): number => Math.round(milesOfChord(chordSquared) * 100) / 100;

/** Returns the inverse of `milesOfChord`; Infinity from half the circumference on. */
export function chordOfMiles(miles: number): number {
  const half = miles / (2 * EARTH_RADIUS_MILES);
  if (half >= Math.PI / 2) return Infinity;
  const sine = Math.sin(half);
  return 4 * sine * sine;
}

export type Coordinate = { latitude: number; longitude: number };

/** Returns great-circle miles, exact to a millionth of a meter. */
export function milesBetween(one: Coordinate, other: Coordinate): number {
  const [a, b] = [unitVectorAt(one.latitude, one.longitude), unitVectorAt(other.latitude, other.longitude)];
  return milesOfChord((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2);
}

export const metersBetween = (one: Coordinate, other: Coordinate): number => milesBetween(one, other) * METERS_PER_MILE;

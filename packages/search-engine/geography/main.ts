/* Distances and areas on the globe. */

export {
  type Area,
  areaFaults,
  circleRing,
  countPositions,
  type LongitudeLatitude,
  MAX_AREA_POSITIONS,
} from './area.ts';
export { areaContains } from './packed-areas.ts';
export { measureRing } from './ring-center.ts';
export {
  type Coordinate,
  chordOfMiles,
  METERS_PER_MILE,
  metersBetween,
  milesBetween,
  roundedMilesOfChord,
  type UnitVector,
  unitVectorAt,
} from './sphere.ts';

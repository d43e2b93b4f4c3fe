/** Degrees: south, north, west, east. */
type Box = readonly [south: number, north: number, west: number, east: number];

/** The United States with Alaska, Hawaii and its islands, and Canada (docs/feeds.md#where-a-store-may-lie). */
const BOXES: readonly Box[] = [
  [24.3, 49.5, -125.1, -66.8],
  [41.6, 83.2, -141.1, -52.5],
  [51, 71.6, -180, -129.9],
  [51, 71.6, 172, 180],
  [18.8, 28.5, -178.5, -154.7],
  [17.6, 18.6, -67.4, -64.4],
  [13.1, 20.6, 144.5, 146.2],
  [-14.7, -11, -171.2, -168],
];

/** Whether a coordinate lies in a box of the two countries that the service covers; an edge belongs to its box. */
export function isCovered(latitude: number, longitude: number): boolean {
  return BOXES.some(
    ([south, north, west, east]) => latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  );
}

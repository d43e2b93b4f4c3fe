/** A closed line of [longitude, latitude] in degrees: the last point is the first. */
export type Ring = readonly (readonly [number, number])[];

/** Polygons of rings; the first ring of a polygon is its outline, the others are holes. */
export type Area = readonly (readonly Ring[])[];

/** Whether the area holds the point. */
export function areaHolds(area: Area, longitude: number, latitude: number): boolean {
  return area.some((rings) => rings.filter((ring) => crossings(ring, longitude, latitude) % 2 === 1).length % 2 === 1);
}

function crossings(ring: Ring, longitude: number, latitude: number): number {
  return ring.filter(([x, y], index) => {
    const [toX, toY] = ring[index + 1] ?? [x, y];
    return y > latitude !== toY > latitude && longitude < x + ((latitude - y) / (toY - y)) * (toX - x);
  }).length;
}

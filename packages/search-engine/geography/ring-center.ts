import type { LongitudeLatitude } from './area.ts';

const ORIGIN: LongitudeLatitude = [0, 0];

/** The area of a ring in square degrees, and its center of mass; without an area, the mean of its corners. */
export function measureRing(ring: readonly LongitudeLatitude[]): { area: number; center: LongitudeLatitude } {
  const [first = ORIGIN] = ring;
  const [x0, y0] = first;
  const relative = ([x, y]: LongitudeLatitude): LongitudeLatitude => [x - x0, y - y0];
  let doubled = 0;
  let x = 0;
  let y = 0;
  for (const [n, corner] of ring.entries()) {
    // Coordinates relative to the first corner, or rounding would lose a building's area.
    const [x1, y1] = relative(corner);
    const [x2, y2] = relative(ring[n + 1] ?? first);
    const cross = x1 * y2 - x2 * y1;
    doubled += cross;
    x += (x1 + x2) * cross;
    y += (y1 + y2) * cross;
  }
  const center: LongitudeLatitude = [x0 + x / (3 * doubled), y0 + y / (3 * doubled)];
  return { area: Math.abs(doubled / 2), center: isInBoundingBox(ring, center) ? center : meanOf(ring) };
}

/** Whether a point is in a ring's bounding box, as the center of a degenerate ring may not be. */
function isInBoundingBox(ring: readonly LongitudeLatitude[], [x, y]: LongitudeLatitude): boolean {
  const isBetween = (value: number, all: readonly number[]) =>
    all.some((one) => one <= value) && all.some((one) => one >= value);
  return (
    isBetween(
      x,
      ring.map(([x1]) => x1),
    ) &&
    isBetween(
      y,
      ring.map(([, y1]) => y1),
    )
  );
}

function meanOf(ring: readonly LongitudeLatitude[]): LongitudeLatitude {
  const sum = ring.reduce<LongitudeLatitude>(([x, y], [x1, y1]) => [x + x1, y + y1], [0, 0]);
  return [sum[0] / ring.length, sum[1] / ring.length];
}

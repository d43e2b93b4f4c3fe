import { type Html, html } from '../lib/html.ts';
import type { MapPoint, MapView } from './map-view.ts';

const WIDTH = 360;
const HEIGHT = 170;
const MARGIN = 34;

type Spot = { x: number; y: number };

/** The three places in their true directions and proportions, for browsers that run no script, and for paper. */
export function mapSketch(map: MapView): Html {
  const places = [map.store, map.driver, ...(map.door ? [map.door] : [])];
  const place = placer(places);
  const way = map.way.map(place).map(({ x, y }) => `${x} ${y}`);
  const line = way.length > 1 && html`<path class="way" d="M${way.join('L')}"/>`;
  return html`<svg class="sketch" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" focusable="false">${line}${spot(
    place(map.store),
    'store',
    'Store',
  )}${map.door && spot(place(map.door), 'door', 'You')}${spot(place(map.driver), 'driver', 'Driver')}</svg>`;
}

function spot(at: Spot, kind: string, name: string): Html {
  // A driver may stand at the store or the door: names on both sides are both read.
  const below = kind === 'driver' ? 22 : -14;
  return html`<circle class="spot spot-${kind}" cx="${at.x}" cy="${at.y}" r="8"/><text x="${at.x}" y="${at.y + below}">${name}</text>`;
}

/** Projects points so that every point fits. Within a town the earth is flat; a degree of longitude is narrower than a degree of latitude. */
function placer(points: readonly MapPoint[]): (point: MapPoint) => Spot {
  const middle = midOf(points.map(([latitude]) => latitude));
  const narrow = Math.cos((middle * Math.PI) / 180);
  const easts = points.map(([, longitude]) => longitude * narrow);
  const norths = points.map(([latitude]) => latitude);
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(spanOf(easts), 1e-6),
    (HEIGHT - 2 * MARGIN) / Math.max(spanOf(norths), 1e-6),
  );
  const [east, north] = [midOf(easts), midOf(norths)];
  return ([latitude, longitude]) => ({
    x: Math.round(WIDTH / 2 + (longitude * narrow - east) * scale),
    y: Math.round(HEIGHT / 2 - (latitude - north) * scale),
  });
}

function midOf(values: readonly number[]): number {
  return (Math.min(...values) + Math.max(...values)) / 2;
}

function spanOf(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

import { doorOf, driverPositionOf, isOnTheWay, milesToDoor } from '../../fulfillment/deliveries/driver-location.ts';
import type { Position } from '../../fulfillment/deliveries/position.ts';
import type { Order } from '../../ordering/orders/order.ts';
import type { Locale } from '../../platform/languages/catalogs.ts';
import { type Html, html } from '../../platform/lib/html.ts';
import { driverName } from './headline.ts';

/** The map of an order: data for the browser's map, and a static sketch for pages without scripts. */

/** A position on the browser's map, as latitude and longitude. */
export type MapPoint = readonly [number, number];

/** The positions on the map; `course` is the driver's course in degrees from north. */
export type MapView = {
  store: MapPoint;
  door: MapPoint | null;
  driver: MapPoint;
  course: number | null;
  /** The line from the driver to the next stop: the store before pick-up, the address after. */
  way: readonly MapPoint[];
  /** A description of the map for screen readers. */
  words: string;
};

/** Paths of the scripts, styles and tiles of the street map. */
export type MapFiles = { script: string; style: string; worker: string; tiles: string };

/**
 * The map of an order; only while a driver is on the way. Afterwards the page no longer shows the address's position.
 */
export function mapOf(order: Order, locale: Locale): MapView | undefined {
  const [door, driver] = [doorOf(order), driverPositionOf(order)];
  if (!driver) return undefined;
  const next = isOnTheWay(order) ? door : order.quote.store;
  return {
    store: pointOf(order.quote.store),
    door: door ? pointOf(door) : null,
    driver: pointOf(driver),
    course: order.driver.course ?? null,
    way: next ? [pointOf(driver), pointOf(next)] : [],
    words: whereWords(order, locale),
  };
}

/** Rounds to four decimals, about ten meters, which shows the street but not the house. */
function pointOf({ latitude, longitude }: Position): MapPoint {
  return [Number(latitude.toFixed(4)), Number(longitude.toFixed(4))];
}

function whereWords(order: Order, { words, format }: Locale): string {
  const { toStore, away } = words.customer.driver;
  const driver = driverName(order);
  const miles = milesToDoor(order);
  if (miles === undefined) return toStore({ driver, store: order.quote.store.name });
  return away({ driver, distance: format.distance(miles) });
}

const WIDTH = 360;
const HEIGHT = 170;
const MARGIN = 34;
const RADIUS = 8;
/** Mean width of a letter of the names, whose size is 13. */
const LETTER_WIDTH = 7.5;
const HALF_LINE = 7;
const BASELINE = 4;
const GAP = 5;
const LINE_OFFSET = RADIUS + GAP + HALF_LINE;

type Spot = { x: number; y: number };
type NamedSpot = Spot & { kind: 'store' | 'door' | 'driver'; name: string };
type Box = { left: number; right: number; top: number; bottom: number };

/**
 * A sketch of the three places in their true directions and proportions, for browsers without scripts, and for paper.
 */
export function mapSketch(map: MapView, { words }: Locale): Html {
  const { pinStore, pinYou, pinDriver } = words.customer.driver;
  const place = placer([map.store, map.driver, ...(map.door ? [map.door] : [])]);
  const spots: NamedSpot[] = [
    { ...place(map.store), kind: 'store', name: pinStore },
    ...(map.door ? [{ ...place(map.door), kind: 'door' as const, name: pinYou }] : []),
    { ...place(map.driver), kind: 'driver', name: pinDriver },
  ];
  const way = map.way.map(place).map(({ x, y }) => `${x} ${y}`);
  const line = way.length > 1 && html`<path class="way" d="M${way.join('L')}"/>`;
  return html`<svg class="sketch" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" focusable="false">${line}${spots.map(
    ({ kind, x, y }) => html`<circle class="spot spot-${kind}" cx="${x}" cy="${y}" r="${RADIUS}"/>`,
  )}${placeNames(spots).map(({ name, x, y }) => html`<text x="${x}" y="${y + BASELINE}">${name}</text>`)}</svg>`;
}

/**
 * Places each label above, below or beside its spot, at the first position that is clear of all spots and earlier
 * labels.
 */
function placeNames(spots: readonly NamedSpot[]): NamedSpot[] {
  const taken = spots.map((spot) => boxAround(spot, RADIUS, RADIUS));
  return spots.map((spot) => {
    const halfWidth = (spot.name.length * LETTER_WIDTH) / 2;
    const aside = RADIUS + GAP + Math.ceil(halfWidth);
    // A long label above or below a spot at the edge moves inward.
    const x = Math.min(Math.max(spot.x, Math.ceil(halfWidth)), WIDTH - Math.ceil(halfWidth));
    const besides: Spot[] = [
      { x, y: spot.y - LINE_OFFSET },
      { x, y: spot.y + LINE_OFFSET },
      { x: spot.x + aside, y: spot.y },
      { x: spot.x - aside, y: spot.y },
      { x, y: spot.y - 2 * LINE_OFFSET },
      { x, y: spot.y + 2 * LINE_OFFSET },
    ];
    const isFree = (at: Spot) => isClear(boxAround(at, halfWidth, HALF_LINE), taken);
    const at = besides.find(isFree) ?? spot;
    taken.push(boxAround(at, halfWidth, HALF_LINE));
    return { ...spot, ...at };
  });
}

function boxAround({ x, y }: Spot, halfWidth: number, halfHeight: number): Box {
  return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
}

function isClear(box: Box, taken: readonly Box[]): boolean {
  const isInside = box.left >= 0 && box.right <= WIDTH && box.top >= 0 && box.bottom <= HEIGHT;
  return (
    isInside &&
    taken.every(
      ({ left, right, top, bottom }) =>
        box.left >= right || left >= box.right || box.top >= bottom || top >= box.bottom,
    )
  );
}

/**
 * Projects points so that all of them fit. Within a town the earth is flat; a degree of longitude is narrower than a
 * degree of latitude.
 */
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

import { type Html, html } from 'doorstep/html';
import { milesBetween } from 'doorstep/search-engine/geography';
import type { Position } from '../../fulfillment/deliveries/position.ts';
import type { MapPoint, MapView } from '../../fulfillment/deliveries/street-map.ts';
import { doorOf, driverPositionOf, isOnTheWay, milesToDoor } from '../../ordering/order/arrival.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { driverName } from './headline.ts';

/** The map of an order: data for the browser's map, and a static sketch for pages without scripts. */

/** The map of the tracking page. */
export type TrackingMap = MapView & {
  /** A description of the map for screen readers. */
  words: string;
};

/** Returns an order's map while a driver is on the way: after the delivery, the page no longer locates the address. */
export function mapOf(order: Order, locale: Locale): TrackingMap | undefined {
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
const LINE_Y = 92;
const RADIUS = 8;
/** Average width of a letter in the names, whose font size is 13. */
const LETTER_WIDTH = 7.5;
const ABOVE = 22;
const BELOW = 30;
/** X coordinates of the line's start, store and end, which is the door, or the store if no door is known. */
const STOPS = { start: 44, store: 152, end: 316 };
/** Miles that a part of the line stands for: the distance from store to door, but at least this many. */
const MIN_WAY_MILES = 0.5;

/** Renders the route as a line from left to right: how far the driver is from the store, then from the door. */
export function mapSketch(map: TrackingMap, { words }: Locale): Html {
  const { pinStore, pinYou, pinDriver } = words.customer.driver;
  const storeX = map.door ? STOPS.store : STOPS.end;
  const driverX = driverOnLine(map, storeX);
  const names = [
    { name: pinStore, x: storeX, y: LINE_Y + BELOW },
    ...(map.door ? [{ name: pinYou, x: STOPS.end, y: LINE_Y + BELOW }] : []),
    { name: pinDriver, x: driverX, y: LINE_Y - ABOVE },
  ];
  const line = (name: string, to: number) => html`<path class="${name}" d="M${STOPS.start} ${LINE_Y}H${to}"/>`;
  const spot = (kind: string, x: number) =>
    html`<circle class="spot spot-${kind}" cx="${x}" cy="${LINE_Y}" r="${RADIUS}"/>`;
  return html`<svg class="sketch" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" focusable="false">${line('way', STOPS.end)}${line('gone', driverX)}${spot('store', storeX)}${map.door && spot('door', STOPS.end)}${spot('driver', driverX)}${names.map(
    ({ name, x, y }) => html`<text x="${insideX(x, name)}" y="${y}">${name}</text>`,
  )}</svg>`;
}

/** Moves a name at the edge inward. */
function insideX(x: number, name: string): number {
  const half = Math.ceil((name.length * LETTER_WIDTH) / 2);
  return Math.min(Math.max(x, half), WIDTH - half);
}

function driverOnLine({ store, door, driver, way }: TrackingMap, storeX: number): number {
  const whole = Math.max(door ? milesBetween(placeOf(store), placeOf(door)) : 0, MIN_WAY_MILES);
  const left = (to: MapPoint) => Math.min(milesBetween(placeOf(driver), placeOf(to)) / whole, 1);
  const next = way.at(-1);
  const isToDoor = door !== null && next?.[0] === door[0] && next[1] === door[1];
  const [from, to] = isToDoor ? [storeX, STOPS.end] : [STOPS.start, storeX];
  return Math.round(to - (to - from) * left(isToDoor ? door : store));
}

const placeOf = ([latitude, longitude]: MapPoint): Position => ({ latitude, longitude });

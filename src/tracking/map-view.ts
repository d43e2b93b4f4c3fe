import { doorOf, driverPositionOf, isOnTheWay, milesToDoor } from '../deliveries/driver-location.ts';
import type { Position } from '../deliveries/position.ts';
import { firstName } from '../lib/text/normalise-text.ts';
import type { Order } from '../orders/order.ts';
import { distanceWords } from './shown-facts.ts';

/** A place on the map as the browser gets it: latitude, longitude. */
export type MapPoint = readonly [number, number];

/** The points of the map; `course` is the driver's course in degrees from north. */
export type MapView = {
  store: MapPoint;
  door: MapPoint | null;
  driver: MapPoint;
  course: number | null;
  /** From the driver to where the driver goes next: the store before pick-up, the door after. */
  way: readonly MapPoint[];
  /** The map in words, for screen readers. */
  words: string;
};

/** Where the browser finds what it needs to draw streets: the paths of its scripts and styles, and the tiles. */
export type MapFiles = { script: string; style: string; worker: string; tiles: string };

/** The map exists while a driver is on the way; afterwards the page no longer shows the position of the door. */
export function mapOf(order: Order): MapView | undefined {
  const [door, driver] = [doorOf(order), driverPositionOf(order)];
  if (!driver) return undefined;
  const next = isOnTheWay(order) ? door : order.quote.store;
  return {
    store: pointOf(order.quote.store),
    door: door ? pointOf(door) : null,
    driver: pointOf(driver),
    course: order.driver.course ?? null,
    way: next ? [pointOf(driver), pointOf(next)] : [],
    words: whereWords(order),
  };
}

/** Four decimals are some ten metres: enough to see the street, no survey of the house. */
function pointOf({ latitude, longitude }: Position): MapPoint {
  return [Number(latitude.toFixed(4)), Number(longitude.toFixed(4))];
}

function whereWords(order: Order): string {
  const driver = firstName(order.driver.name ?? '') || 'Your driver';
  const miles = milesToDoor(order);
  if (miles === undefined) return `${driver} is on the way to ${order.quote.store.name}.`;
  return `${driver} is about ${distanceWords(miles, order.quote.store.country)} away from you.`;
}

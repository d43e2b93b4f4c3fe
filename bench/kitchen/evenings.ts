import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FEEDS } from '../setup.ts';

/** Public evenings of meal delivery, if present: 24 lines, of five cities and days. */
const FILE = join(FEEDS, '../mdrp/mdrp-dev.ndjson.gz');

/** An order of an evening: when it is placed, and how long the kitchen needs for it alone. */
export type EveningOrder = { placedMinute: number; cookMinutes: number };

/** One restaurant's evening, with its kitchen's capacity per 15-minute window. */
export type Restaurant = { room: number; orders: readonly EveningOrder[] };

type Line = {
  name: string;
  r: unknown[];
  o: [x: number, y: number, placed: number, restaurant: number, ready: number][];
};

/** The busiest restaurants of each city's day, `most` of each; undefined where the file is absent. */
export function readEvenings(most: number): Restaurant[][] | undefined {
  if (!existsSync(FILE)) return undefined;
  const lines = gunzipSync(readFileSync(FILE)).toString('utf8').trimEnd().split('\n');
  const days = Map.groupBy(
    lines.map((line) => JSON.parse(line) as Line),
    // A name begins with its city's day; the first line of each has all orders.
    ({ name }) => name[0],
  );
  return [...days.values()].map(([day]) => {
    const orders = Map.groupBy(day?.o ?? [], ([, , , restaurant]) => restaurant);
    const busiest = [...orders.values()].sort((a, b) => b.length - a.length).slice(0, most);
    return busiest.map((placed) =>
      restaurantOf(placed.map(([, , at, , ready]) => ({ placedMinute: at, cookMinutes: ready - at }))),
    );
  });
}

/** A restaurant whose kitchen cooks four fifths of its busiest hour. */
function restaurantOf(orders: EveningOrder[]): Restaurant {
  const hours = orders.map(
    ({ placedMinute: from }) => orders.filter(({ placedMinute: at }) => at >= from && at < from + 60).length,
  );
  return {
    room: Math.max(1, Math.floor(Math.max(...hours) / 5)),
    orders: orders.toSorted((a, b) => a.placedMinute - b.placedMinute),
  };
}

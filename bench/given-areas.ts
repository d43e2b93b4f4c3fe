import { sql } from 'kysely';
import type { Db } from '../src/db/connect.ts';
import type { Position } from '../src/lib/geo/area.ts';
import type { DeliveryOffer } from '../src/stores/store.ts';
import { plainParty, plainZone } from '../src/stores/store-defaults.ts';

const MIN_CORNERS = 20;
const MAX_CORNERS = 200;
const MILES_PER_DEGREE = 69.1;

type Place = { latitude: number; longitude: number };

/**
 * Delivery of store number `n`, the same in every run: a third of the stores deliver in an area of 20 to 200 corners, 1
 * to 6 miles from the store, the others within 3 to 7 miles; one of seven has a courier for a wider zone besides.
 */
export function deliveryOf(n: number, place: Place): DeliveryOffer {
  const size = (n * 0.618034) % 1;
  const radiusMiles = 3 + 4 * size;
  const own = plainParty('first', radiusMiles);
  const parties = n % 3 === 0 ? [{ ...own, zones: [plainZone({ area: [[outlineOf(n, place)]] })] }] : [own];
  if (n % 7 === 0) parties.push(plainParty('courier', radiusMiles + 2));
  return { enabled: true, accepting: true, prepMinutes: [15, 25], parties };
}

const STORES_PER_UPDATE = 2000;

/** Gives every store a delivery, which real feeds of chains do not tell. */
export async function giveDeliveries(db: Db): Promise<void> {
  const rows = await db.selectFrom('stores').select(['storeId', 'profile']).orderBy('storeId').execute();
  for (let from = 0; from < rows.length; from += STORES_PER_UPDATE) {
    const batch = rows.slice(from, from + STORES_PER_UPDATE);
    const ids = batch.map(({ storeId }) => storeId);
    const deliveries = batch.map(({ profile }, i) => JSON.stringify(deliveryOf(from + i, profile)));
    await sql`
      update stores set profile = jsonb_set(profile, '{delivery}', given.delivery)
      from unnest(${ids}::text[], ${deliveries}::jsonb[]) as given (id, delivery)
      where store_id = given.id`.execute(db);
  }
}

/** A district's lobes and bays of up to a mile, and streets of some hundred yards. */
function outlineOf(n: number, { latitude, longitude }: Place): Position[] {
  const corners = MIN_CORNERS + Math.floor((MAX_CORNERS - MIN_CORNERS) * ((n * 0.754878) % 1));
  const size = 2.2 + 2.6 * ((n * 0.618034) % 1);
  const shrink = Math.cos((latitude * Math.PI) / 180);
  const ring = Array.from({ length: corners }, (_, i): Position => {
    const angle = (2 * Math.PI * i) / corners;
    const lobes = 0.6 * Math.sin(3 * angle + n) + 0.3 * Math.sin(7 * angle + 2 * n);
    const miles = size + lobes + 0.15 * Math.sin(i * 2.4);
    const [north, east] = [(miles * Math.sin(angle)) / MILES_PER_DEGREE, (miles * Math.cos(angle)) / MILES_PER_DEGREE];
    return [round(longitude + east / shrink), round(latitude + north)];
  });
  return [...ring, ring[0] as Position];
}

/** As areas are drawn: to a tenth of a metre. */
function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

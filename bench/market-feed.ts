import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

/** A generated market: departments, aisles and shelves, with the products as the fourth level. */
export type MarketSize = { departments: number; aisles: number; shelves: number; products: number };

/** About 21 products per shelf; the fourfold size keeps the same shelves. */
export const MARKET: MarketSize = { departments: 20, aisles: 12, shelves: 8, products: 40_000 };

export const MARKET_FILE = 'market.ndjson';
const PRODUCTS_FILE = 'market-products.ndjson';

/**
 * Writes the feed and its categories file. `changed` products, spread over the market, get another price. Products are
 * sorted by aisle, as a market exports them.
 */
export async function writeMarket(folder: string, size: MarketSize, changed = 0): Promise<void> {
  await writeLines(join(folder, MARKET_FILE), [store()]);
  await writeLines(join(folder, PRODUCTS_FILE), products(size, changed));
}

export async function writeLines(file: string, values: Iterable<object>): Promise<void> {
  const out = createWriteStream(file);
  for (const value of values) if (!out.write(`${JSON.stringify(value)}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
}

function store(): object {
  return {
    external_id: 'market',
    name: 'Generated Market',
    type: 'grocery',
    address: { street_addr: '120 5th Ave', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
    latitude: 40.7383,
    longitude: -73.9927,
    hours: { operational: 'Mo-Su 07:00-22:00' },
    pickup: { enabled: true },
    delivery: { enabled: true, party: 'first', radius_miles: 5 },
    categories_file: PRODUCTS_FILE,
  };
}

function* products({ departments, aisles, shelves, products: count }: MarketSize, changed: number): Generator<object> {
  const shelfCount = departments * aisles * shelves;
  const step = changed === 0 ? Infinity : Math.floor(count / changed);
  for (let n = 0; n < count; n += 1) {
    const shelf = Math.floor((n * shelfCount) / count);
    const aisle = Math.floor(shelf / shelves);
    yield {
      id: `product-${n}`,
      path: [`Department ${Math.floor(aisle / aisles)}`, `Aisle ${aisle}`, `Shelf ${shelf}`],
      name: `Product number ${n} of its kind, family pack`,
      description: 'A description of the usual length, with what is in it and how it is made.',
      price: 100 + (n % 5000) + (n % step === step - 1 ? 7 : 0),
      image: `https://cdn.example/products/${n}.jpg`,
      unit_size: 12,
      unit_of_measurement: 'oz',
      upc_code: String(100_000_000_000 + n),
    };
  }
}

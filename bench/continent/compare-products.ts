import type { Report } from '../report.ts';
import type { ContinentStore } from './continent-stores.ts';
import { categoriesOf } from './menus.ts';
import { type ScannedProduct, type ScanQuestion, scanProducts } from './product-scan.ts';
import { type ProductQuery, productPath } from './product-workloads.ts';
import { chanceOf, pick, wholeBetween } from './seeded.ts';
import { besideStore, wordOf } from './workloads.ts';

/** Pages compared per answer. */
const PAGES = 2;
const PAGE_SIZE = 50;
/** Answers round miles to two decimals. */
const SLACK_MILES = 0.0051;

type Sort = 'cheapest' | 'distance';
type FoundProduct = { store_id: string; name: string; price: number; product_id: string; store: { miles: number } };

/**
 * Compares product searches, sorted by price and by distance, with a full scan of the menus: both must return exactly
 * the products that contain every word, in the same order.
 */
export async function compareProducts(
  { url, keys, sellers }: { url: string; keys: readonly string[]; sellers: readonly ContinentStore[] },
  count: number,
  report: Report,
): Promise<void> {
  const differences: string[] = [];
  let [compared, products] = [0, 0];
  for (const { question, sort } of randomQuestions(sellers, count)) {
    const expected = scanProducts(sellers, question);
    // Without an exact match the search falls back to similar words, which the scan does not implement.
    if (expected.length === 0) continue;
    const found = await pagesOf(url, keys.at(-1) ?? '', queryOf(question, sort));
    const fault = differenceOf(found, expected, sort);
    if (fault !== null) differences.push(`${JSON.stringify({ ...question, sort })}: ${fault}`);
    compared += 1;
    products += found.length;
  }
  report.add({
    what: 'searches that differ from a scan',
    value: differences.length,
    unit: `of ${compared}`,
    limit: { max: 0 },
    details: differences.slice(0, 3).join(' | ') || `${products} products compared`,
  });
}

function* randomQuestions(
  sellers: readonly ContinentStore[],
  count: number,
): Generator<{ question: ScanQuestion; sort: Sort }> {
  const chance = chanceOf(20_261_124);
  for (let made = 0; made < count; made += 1) {
    const store = pick(sellers, chance);
    const dish = pick(pick(categoriesOf(store), chance).products, chance).name;
    const question: ScanQuestion = {
      ...besideStore(store, chance),
      text: chance() < 0.5 ? wordOf(dish, chance) : `${wordOf(dish, chance)} ${wordOf(dish, chance)}`,
      pickup: chance() < 0.4 ? chance() < 0.5 : null,
      maximumMiles: chance() < 0.4 ? wholeBetween(1, 40, chance) : null,
      diet: chance() < 0.15 ? pick(['vegan', 'vegetarian', 'halal'], chance) : null,
      without: chance() < 0.15 ? pick(['milk', 'peanuts', 'wheat,eggs'], chance) : null,
    };
    yield { question, sort: pick(['cheapest', 'distance'], chance) };
  }
}

function queryOf(
  { latitude, longitude, text, pickup, maximumMiles, diet, without }: ScanQuestion,
  sort: Sort,
): ProductQuery {
  return {
    query: text,
    sort,
    user_latitude: String(latitude),
    user_longitude: String(longitude),
    ...(pickup === null ? {} : { pickup: String(pickup) }),
    ...(maximumMiles === null ? {} : { maximum_miles: String(maximumMiles) }),
    ...(diet === null ? {} : { diet }),
    ...(without === null ? {} : { without }),
  };
}

async function pagesOf(url: string, key: string, parameters: ProductQuery): Promise<FoundProduct[]> {
  const found: FoundProduct[] = [];
  for (let nth = 0, page = 0; nth < PAGES; nth += 1) {
    const path = productPath({ ...parameters, page: String(page) });
    const reply = await fetch(url + path, { headers: { 'id-token': key } });
    if (reply.status !== 200) throw new Error(`${reply.status} for ${path}`);
    const body = (await reply.json()) as { products: FoundProduct[]; next_page: number };
    found.push(...body.products);
    page = body.next_page;
  }
  return found;
}

function differenceOf(found: readonly FoundProduct[], expected: readonly ScannedProduct[], sort: Sort): string | null {
  const due = Math.min(PAGES * PAGE_SIZE, expected.length);
  if (found.length !== due) return `${found.length} products instead of ${due}`;
  if (new Set(found.map((product) => product.product_id)).size < found.length) return 'a product is there twice';
  const left = new Map<string, number>();
  for (const one of expected) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  const sorted = expected.toSorted((a, b) => (sort === 'cheapest' ? a.cents - b.cents : a.miles - b.miles));
  for (const [nth, { store_id: storeId, name, price: cents, store }] of found.entries()) {
    const key = keyOf({ storeId, name, cents });
    if ((left.get(key) ?? 0) === 0) return `${name} of ${storeId} for ${cents} is not expected`;
    left.set(key, (left.get(key) ?? 0) - 1);
    const due = sorted[nth] as ScannedProduct;
    if (sort === 'cheapest' && due.cents !== cents) return `product ${nth} costs ${cents}, not ${due.cents}`;
    if (sort === 'distance' && Math.abs(due.miles - store.miles) > SLACK_MILES)
      return `product ${nth} is ${store.miles} miles away, not ${due.miles}`;
  }
  return null;
}

function keyOf({ storeId, name, cents }: Pick<ScannedProduct, 'storeId' | 'name' | 'cents'>): string {
  return `${storeId} ${cents} ${name}`;
}

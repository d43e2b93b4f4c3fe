import type { Chance } from './chance.ts';
import type { FeedCategory, FeedProduct } from './feed-line.ts';
import { slugOf } from './menu-kit.ts';
import { COUNTER } from './shelves/counter.ts';
import { DELI, FRESH } from './shelves/fresh.ts';
import { PANTRY } from './shelves/pantry.ts';
import { upcOf } from './upc.ts';

type Item = {
  department: string;
  aisle: string;
  shelf: string;
  id: string;
  name: string;
  size: number;
  unit: string;
  priceCents: number;
  upc: string | undefined;
  /** How it is sold by weight, by the pound. */
  weight: FeedProduct['weight'];
  isAlcoholic: boolean;
};

const ITEMS: readonly Item[] = readShelves();
/** The aisles of a corner store. */
const CORNER_AISLES = new Set([
  'Milk',
  'Eggs and Yogurt',
  'Bread',
  'Water and Soda',
  'Juice and Sports',
  'Salty',
  'Sweets',
  'Ice Cream',
]);
const CORNER_AISLES_MORE = new Set([
  'Coffee and Tea',
  'Frozen Meals',
  'Personal Care',
  'Beer and Wine',
  'Cans and Jars',
]);

/** An item has the same number in every store, so that another store can substitute it. */
function readShelves(): Item[] {
  const items: Item[] = [];
  for (const [department, aisles] of Object.entries({ ...FRESH, ...PANTRY, ...COUNTER, ...DELI })) {
    for (const [aisle, shelves] of Object.entries(aisles)) {
      for (const [shelf, lines] of Object.entries(shelves)) {
        for (const line of lines) items.push(readItem({ department, aisle, shelf }, line, items.length));
      }
    }
  }
  return items;
}

function readItem(place: Pick<Item, 'department' | 'aisle' | 'shelf'>, line: string, index: number): Item {
  const [label = '', measure = '', dollars = '', piece] = line.split('|');
  const [size = '', ...unit] = measure.split(' ');
  const name = label.replace(/^[~!]/, '');
  const isWeighed = label.startsWith('~') && measure === '1 lb';
  const pieces = piece === undefined ? {} : { piece_weight: Number(piece) };
  return {
    ...place,
    id: slugOf(`${name} ${measure}`),
    name,
    size: Number(size),
    unit: unit.join(' '),
    priceCents: Math.round(Number(dollars) * 100),
    upc: label.startsWith('~') ? undefined : upcOf(20_100 + index * 37),
    weight: isWeighed ? { unit: 'lb', ...pieces, scale_code: String(10_000 + index) } : undefined,
    isAlcoholic: label.startsWith('!'),
  };
}

export type GroceryNeeds = { chance: Chance; priceLevel: number; sellsBeer: boolean };

export function marketCatalog(needs: GroceryNeeds): FeedCategory[] {
  return treeOf(ITEMS, needs);
}

export function cornerCatalog(needs: GroceryNeeds): FeedCategory[] {
  const fits = ({ aisle, size }: Item) => CORNER_AISLES.has(aisle) || (CORNER_AISLES_MORE.has(aisle) && size < 40);
  return treeOf(ITEMS.filter(fits), { ...needs, priceLevel: needs.priceLevel * 1.15 });
}

/** Department, aisle, shelf: a client reads one level with each request. */
function treeOf(items: readonly Item[], needs: GroceryNeeds): FeedCategory[] {
  const sold = items.filter((item) => needs.sellsBeer || !item.isAlcoholic);
  return [...Map.groupBy(sold, (item) => item.department)].map(([department, inDepartment]) => ({
    id: slugOf(department),
    name: department,
    categories: [...Map.groupBy(inDepartment, (item) => item.aisle)].map(([aisle, inAisle]) => ({
      id: slugOf(`${department} ${aisle}`),
      name: aisle,
      categories: [...Map.groupBy(inAisle, (item) => item.shelf)].map(([shelf, onShelf]) => ({
        id: slugOf(`${department} ${aisle} ${shelf}`),
        name: shelf,
        products: onShelf.map((item) => productOf(item, needs)),
      })),
    })),
  }));
}

function productOf(item: Item, { chance, priceLevel }: GroceryNeeds): FeedProduct {
  const price = shelfPrice(item.priceCents * priceLevel);
  const isOnSale = chance.happens(0.08);
  const isLoose = item.upc === undefined;
  return {
    id: item.id,
    name: item.name,
    price,
    ...(item.weight
      ? { sold_by: 'weight', weight: item.weight }
      : { unit_size: item.size, unit_of_measurement: item.unit }),
    ...(isOnSale ? { original_price: shelfPrice(price * 1.2) } : {}),
    ...(item.upc ? { upc_code: item.upc } : {}),
    ...(item.isAlcoholic ? { is_alcoholic: true, modes: ['pickup'] } : {}),
    ...(chance.happens(0.03) ? { available: false } : {}),
    ...(!isLoose && chance.happens(0.12) ? { qty_available: chance.between(0, 12) } : {}),
  };
}

/** Shelf prices end in nine. */
function shelfPrice(cents: number): number {
  return Math.max(9, Math.round((cents - 9) / 10) * 10 + 9);
}

import { Readable } from 'node:stream';
import type { Db } from '../../src/platform/db/connect.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';

/** Grocery stores of one city, identical in every run. */
export const SHOPS = 500;
export const SHOP_PRODUCTS = 400;

/** A point near the middle of the stores. */
export const CITY = { latitude: 41.88, longitude: -87.65 };

const DEPARTMENTS: Readonly<Record<string, readonly string[]>> = {
  Dairy: ['Milk', 'Butter', 'Yogurt', 'Cream Cheese', 'Cheddar', 'Mozzarella', 'Eggs', 'Sour Cream'],
  Bakery: ['Bread', 'Bagels', 'Tortillas', 'Croissants', 'Muffins', 'Rolls'],
  Produce: [
    'Bananas',
    'Apples',
    'Tomatoes',
    'Potatoes',
    'Onions',
    'Lettuce',
    'Carrots',
    'Avocados',
    'Grapes',
    'Lemons',
  ],
  Pantry: [
    'Rice',
    'Spaghetti',
    'Flour',
    'Sugar',
    'Olive Oil',
    'Peanut Butter',
    'Honey',
    'Black Beans',
    'Oats',
    'Salsa',
  ],
  Drinks: ['Orange Juice', 'Cola', 'Sparkling Water', 'Coffee', 'Green Tea', 'Lemonade', 'Oat Milk', 'Chocolate Milk'],
  Meat: ['Chicken Breast', 'Ground Beef', 'Bacon', 'Turkey', 'Salmon', 'Sausages'],
  Frozen: ['Ice Cream', 'Pizza', 'Peas', 'Waffles', 'French Fries'],
  Household: ['Paper Towels', 'Dish Soap', 'Detergent', 'Trash Bags', 'Toothpaste', 'Shampoo'],
};
const KINDS = Object.entries(DEPARTMENTS).flatMap(([department, names]) => names.map((name) => ({ department, name })));
const BRANDS = ['Harvest', 'Lakeside', 'Golden Field', 'Blue Ridge', 'Sunrise', 'Maple Grove', 'Oak Valley', 'Simple'];
const STYLES = [
  'Organic',
  'Whole',
  'Large',
  'Fresh',
  'Classic',
  'Light',
  'Natural',
  'Wheat',
  'Family Size',
  'Unsalted',
];
const SIZES = [
  [12, 'oz'],
  [16, 'oz'],
  [32, 'oz'],
  [1, 'gal'],
  [2, 'lb'],
  [6, 'ct'],
  [12, 'ct'],
] as const;

/** Typical carts of eight lines each. */
export const CARTS: readonly Readonly<Record<string, number>>[] = [
  { milk: 2, eggs: 1, bread: 1, bananas: 6, butter: 1, rice: 1, 'orange juice': 1, 'chicken breast': 2 },
  { 'whole milk': 1, 'large eggs': 2, bagels: 1, 'cream cheese': 1, coffee: 1, sugar: 1, bacon: 1, apples: 4 },
  { spaghetti: 2, tomatoes: 4, onions: 2, 'olive oil': 1, mozzarella: 1, 'ground beef': 1, lettuce: 1, cola: 6 },
  { 'paper towels': 1, 'dish soap': 1, detergent: 1, 'trash bags': 1, toothpaste: 2, shampoo: 1, coffee: 1, milk: 1 },
  { 'black beans': 3, tortillas: 2, avocados: 4, salsa: 1, cheddar: 1, 'sour cream': 1, rice: 1, lemons: 3 },
];

/** Imports the grocery stores. */
export async function importShops(db: Db): Promise<void> {
  const { result } = await importFiles(
    { db, clock: systemClock },
    { files: ['-'], source: 'shops', stdin: Readable.from(shopLines()) },
  );
  if (result.rejected > 0) throw new Error(JSON.stringify(result.errors[0]));
}

/** Seeded pseudo-random numbers from 0 up to 1 (Park and Miller). */
function createChance(seed: number): () => number {
  let state = (seed * 48_271) % 0x7fffffff;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function* shopLines(): Generator<string> {
  for (let n = 0; n < SHOPS; n += 1) yield `${JSON.stringify(shopLine(n))}\n`;
}

function shopLine(n: number): object {
  const chance = createChance(n + 1);
  const pick = <One>(list: readonly One[]): One => list[Math.floor(chance() * list.length)] as One;
  const level = 0.8 + 0.5 * chance();
  return {
    external_id: `shop-${n}`,
    name: `${pick(BRANDS)} Market ${n}`,
    type: 'grocery',
    address: { street_addr: `${n} Lake St`, city: 'Chicago', state: 'IL', zipcode: '60602', country: 'US' },
    latitude: CITY.latitude + 0.16 * (chance() - 0.5),
    longitude: CITY.longitude + 0.2 * (chance() - 0.5),
    time_zone: 'America/Chicago',
    hours: { operational: 'Mo-Su 00:00-24:00' },
    pickup: { enabled: true, prep_minutes: [10, 20] },
    delivery: { enabled: true, party: 'first', radius_miles: 25, prep_minutes: [20, 40] },
    fees: {
      delivery_fee: {
        delivery_fee_flat: pick([0, 199, 299, 399, 599]),
        threshold_fees: pick([[], [{ minimum_subtotal: 4000, delivery_fee_flat: 0 }]]),
      },
      service_fee: { service_fee_percent: pick([0, 5, 10]), service_fee_min: 100, service_fee_max: 800 },
      small_order_fee: { minimum_order_value: 1200, small_order_fee_flat: 200 },
      order_minimum: pick([0, 500, 1000, 1500]),
      sales_tax_percent: pick([2.25, 10.25]),
    },
    categories: categoriesOf(chance, level),
  };
}

/** The store's products: every kind in several brands and styles, except one kind in fifty. */
function categoriesOf(chance: () => number, level: number): object[] {
  const pick = <One>(list: readonly One[]): One => list[Math.floor(chance() * list.length)] as One;
  const kinds = KINDS.filter(() => chance() > 0.02);
  const categories = new Map<string, object[]>();
  for (let n = 0; n < SHOP_PRODUCTS; n += 1) {
    const { department, name } = kinds[n % kinds.length] as (typeof KINDS)[number];
    const [unitSize, unit] = pick(SIZES);
    const products = categories.get(department) ?? [];
    categories.set(department, products);
    products.push({
      id: `p${n}`,
      name: `${pick(BRANDS)} ${pick(STYLES)} ${name}`,
      price: Math.round(level * (150 + 700 * chance())),
      unit_size: unitSize,
      unit_of_measurement: unit,
      qty_available: chance() < 0.1 ? Math.floor(30 * chance()) : null,
      upc_code: upcOf(n),
    });
  }
  return [...categories].map(([name, products]) => ({ id: name, name, products }));
}

/** A UPC-A per product of the assortment, shared by the stores. */
function upcOf(n: number): string {
  const digits = `04${String(n).padStart(9, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

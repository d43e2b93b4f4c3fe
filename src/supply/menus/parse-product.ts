import { present } from 'doorstep/collections';
import { cleanText } from '../../platform/lib/plain-text.ts';
import { recordByName } from '../../platform/lib/records.ts';
import {
  ALLERGENS,
  type Allergen,
  contradictedDiets,
  DIETS,
  type Diet,
  type Food,
  NUTRIENTS,
  type Nutrition,
} from '../catalog/food.ts';
import { hasCheckDigit } from '../catalog/gtin.ts';
import type { CatalogProduct, Customization, Option, UnitLimits } from '../catalog/product.ts';
import { plainItem } from '../catalog/scale-label.ts';
import { readMilli, type SoldByWeight, sizeOfWeight, WEIGHT_UNITS, type WeightUnit } from '../pricing/weight.ts';
import { FEED_LIMITS, type FeedObject, NO_AMOUNT, readCents, UNIQUE_IN_PRODUCT } from '../stores/feed-fields.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import { readMenuHours } from './feed-hours.ts';

/** A feed's product with defaults filled in; prices are cents in the store's currency. */
export type FeedProduct = Pick<
  CatalogProduct,
  | ('externalId' | 'name' | 'description' | 'price' | 'pickupPrice' | 'originalPrice' | 'image' | 'thumbnailImage')
  | ('available' | 'qtyAvailable' | 'unitSize' | 'unitOfMeasurement' | 'upcCode' | 'isAlcoholic' | 'food' | 'hours')
  | 'customizations'
> & {
  /** Absent or null: sold by the piece. */
  weight?: SoldByWeight | null;
  /** Its own class; absent or null: its category's. */
  taxClass?: TaxClass | null;
  inDelivery: boolean;
  inPickup: boolean;
};

/** Ids found so far in one product. A customization and an option may share an id. */
type ProductIds = { customizations: Set<string>; options: Set<string> };

const QUANTITY = { min: 0, max: FEED_LIMITS.quantity };
const CHOICES = { min: 0, max: FEED_LIMITS.choiceQuantity };

/** Reads a product of a feed; null, with a warning, if nothing is wrong with it but a price that is no amount. */
export function readFeedProduct(from: FeedObject): FeedProduct | null {
  const { faults, warnings } = from.report;
  const before = faults.length;
  const product = readProduct(from);
  const [first, ...others] = faults.slice(before);
  if (!first || [first, ...others].some(({ message }) => message !== NO_AMOUNT)) return product;
  faults.length = before;
  if (warnings.length < FEED_LIMITS.faultsPerLine)
    warnings.push({ path: first.path, message: `${NO_AMOUNT}; product left out` });
  return null;
}

/** Reads a product of a category or categories file. Meaningless once the line's report contains an error. */
export function readProduct(from: FeedObject): FeedProduct {
  const externalId = from.requireText('id', FEED_LIMITS.idCharacters);
  const name = from.requireText('name', FEED_LIMITS.nameCharacters);
  from.requirePresent('price');
  const price = from.cents('price') ?? 0;
  const modes = readModes(from);
  const taxClass = from.taxClass();
  const weight = readWeight(from);
  return {
    externalId,
    name,
    description: from.text('description', FEED_LIMITS.descriptionCharacters) ?? null,
    price,
    pickupPrice: from.cents('pickup_price') ?? price,
    originalPrice: readOriginalPrice(from, price),
    image: from.url('image'),
    thumbnailImage: from.url('thumbnail_image'),
    available: from.flag('available', true),
    qtyAvailable: weight ? readNoStock(from) : (from.whole('qty_available', QUANTITY) ?? null),
    unitSize: from.number('unit_size', QUANTITY) ?? null,
    unitOfMeasurement: from.text('unit_of_measurement', FEED_LIMITS.unitCharacters) ?? '',
    ...(weight ? { ...sizeOfWeight(weight), weight } : {}),
    upcCode: readBarCode(from),
    isAlcoholic: from.flag('is_alcoholic', false),
    ...present({ taxClass }),
    food: readFood(from),
    inDelivery: modes.has('delivery'),
    inPickup: modes.has('pickup'),
    hours: readMenuHours(from),
    customizations: readCustomizations(from, { customizations: new Set(), options: new Set() }, 1),
  };
}

/** Goods by weight are available or not. */
function readNoStock(from: FeedObject): null {
  if (from.has('qty_available')) from.fault('qty_available', 'expected null for goods by weight');
  return null;
}

const BAR_CODE = /^(?:\d{8}|\d{12,14})$/;

/** Reads a bar code, which may have lost the leading zeros of its twelve digits; a wrong check digit is a warning. */
function readBarCode(from: FeedObject): string | null {
  const isNumber = typeof from.value('upc_code') === 'number';
  const padded = from.withNumberAsText('upc_code', (digits) => {
    const whole = /^\d{9,11}$/.test(digits) ? digits.padStart(12, '0') : digits;
    // A text of other digits is a code of the source's own.
    return isNumber || hasCheckDigit(whole) ? whole : digits;
  });
  const code = padded.text('upc_code', FEED_LIMITS.upcCharacters) || null;
  if (code !== null && BAR_CODE.test(code) && !hasCheckDigit(code))
    from.warn('upc_code', 'expected a bar code whose last digit is its check digit');
  return code;
}

/** The price before a sale, at least the current price. */
function readOriginalPrice(from: FeedObject, price: number): number {
  const original = from.cents('original_price') ?? price;
  if (original < price) from.fault('original_price', 'expected at least the price');
  return original;
}

function readModes(from: FeedObject): ReadonlySet<string> {
  if (!from.has('modes')) return BOTH_MODES;
  const modes = from.list('modes', FEED_LIMITS.customizationsPerList);
  for (const { value, path } of modes) {
    if (!isMode(value)) from.addFault(path, 'expected delivery or pickup');
  }
  return new Set(modes.map(({ value }) => value).filter(isMode));
}

const BOTH_MODES: ReadonlySet<string> = new Set(['delivery', 'pickup']);
const isMode = (value: unknown): value is string => typeof value === 'string' && BOTH_MODES.has(value);
const NO_CUSTOMIZATIONS: readonly Customization[] = [];

function readCustomizations(from: FeedObject, ids: ProductIds, depth: number): readonly Customization[] {
  const value = from.value('customizations');
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return NO_CUSTOMIZATIONS;
  if (depth > FEED_LIMITS.customizationDepth) {
    from.fault('customizations', `expected at most ${FEED_LIMITS.customizationDepth} levels of choices`);
    return NO_CUSTOMIZATIONS;
  }
  const entries = from.objects('customizations', FEED_LIMITS.customizationsPerList);
  return entries.map((entry) => readCustomization(entry, ids, depth));
}

function readCustomization(from: FeedObject, ids: ProductIds, depth: number): Customization {
  const id = from.requireNewId(ids.customizations, UNIQUE_IN_PRODUCT);
  const name = from.requireText('name', FEED_LIMITS.nameCharacters);
  const options = from
    .objects('options', FEED_LIMITS.optionsPerProduct)
    .map((option) => readOption(option, ids, depth));
  const minChoiceOptions = from.whole('min_choice_options', CHOICES) ?? 0;
  const all = Math.max(options.length, minChoiceOptions);
  const maxChoiceOptions = from.whole('max_choice_options', CHOICES) ?? all;
  if (maxChoiceOptions < minChoiceOptions) {
    from.fault('max_choice_options', 'expected at least min_choice_options');
  }
  return { id, name, minChoiceOptions, maxChoiceOptions, ...readUnitLimits(from, options), options };
}

function readUnitLimits(from: FeedObject, options: readonly Option[]): UnitLimits {
  const minTotalUnits = from.whole('min_total_units', CHOICES);
  const maxTotalUnits = from.whole('max_total_units', CHOICES);
  const [min, max] = [minTotalUnits ?? 0, maxTotalUnits ?? Number.POSITIVE_INFINITY];
  if (max < min) from.fault('max_total_units', 'expected at least min_total_units');
  const units = options.reduce((sum, { defaultQty }) => sum + defaultQty, 0);
  if (units > max) from.warn('max_total_units', `expected at least the ${units} units of the defaults`);
  else if (units > 0 && units < min)
    from.warn('min_total_units', `expected at most the ${units} units of the defaults`);
  return present({ minTotalUnits, maxTotalUnits });
}

function readOption(from: FeedObject, ids: ProductIds, depth: number): Option {
  const id = from.requireNewId(ids.options, UNIQUE_IN_PRODUCT);
  if (ids.options.size === FEED_LIMITS.optionsPerProduct + 1) {
    from.fault('id', `expected at most ${FEED_LIMITS.optionsPerProduct} options in a product`);
  }
  const minQty = from.whole('min_qty', CHOICES) ?? 0;
  const maxQty = from.whole('max_qty', CHOICES) ?? Math.max(1, minQty);
  const defaultQty = from.whole('default_qty', CHOICES) ?? 0;
  if (maxQty < minQty) from.fault('max_qty', 'expected at least min_qty');
  else if (defaultQty > maxQty) from.fault('default_qty', 'expected at most max_qty');
  const food = readFood(from);
  const taxClass = from.taxClass();
  return {
    id,
    name: from.requireText('name', FEED_LIMITS.nameCharacters),
    price: from.cents('price') ?? 0,
    defaultQty,
    minQty,
    maxQty,
    conditionalPrice: readConditionalPrice(from),
    ...present({ food: food ?? undefined, taxClass }),
    customizations: readCustomizations(from, ids, depth + 1),
  };
}

function readConditionalPrice(from: FeedObject): Readonly<Record<string, number>> {
  const object = from.object('conditional_price');
  if (!object) return {};
  const prices: [string, number][] = [];
  for (const [key, value] of Object.entries(object.fields)) {
    const id = cleanText(key);
    const cents = readCents(value);
    if (typeof cents === 'number') prices.push([id, cents]);
    else from.addFault({ parent: object.path, key }, cents.expected);
  }
  return Object.fromEntries(prices);
}

const FOOD_FIELDS: ReadonlySet<string> = new Set(['allergens', 'may_contain', 'diets', 'nutrition', 'source']);
const NUTRITION_FIELDS: ReadonlySet<string> = new Set(['calories', ...NUTRIENTS]);
const GRAMS = { min: 0, max: FEED_LIMITS.grams };

/**
 * The food facts of a product; null without any. An unknown field is an error, because losing an allergen is dangerous.
 */
function readFood(from: FeedObject): Food | null {
  const entry = from.object('food');
  if (!entry) return null;
  refuseUnknownFields(entry, FOOD_FIELDS);
  const allergens = readWords(entry, 'allergens', ALLERGENS);
  const food: Food = {
    allergens,
    mayContain: readWords(entry, 'may_contain', ALLERGENS),
    diets: readDiets(entry, allergens ?? []),
    nutrition: readNutrition(entry),
    source: entry.text('source', FEED_LIMITS.sourceCharacters) || null,
  };
  const { source: _, ...facts } = food;
  return Object.values(facts).every((fact) => fact === null) ? null : food;
}

/** A list's words, each once, in the order of `words`; null without a list. */
function readWords<Word extends string>(from: FeedObject, key: string, words: readonly Word[]): Word[] | null {
  if (!from.has(key)) return null;
  const met = new Set<unknown>();
  for (const { value, path } of from.list(key, FEED_LIMITS.foodWords)) {
    const word = words.find((one) => one === (typeof value === 'string' ? cleanText(value) : value));
    if (word === undefined) from.addFault(path, `expected one of ${words.join(', ')}`);
    else met.add(word);
  }
  return words.filter((word) => met.has(word));
}

/** Drops a diet that contradicts the allergens, because one of the two is wrong. */
function readDiets(from: FeedObject, allergens: readonly Allergen[]): Diet[] | null {
  const diets = readWords(from, 'diets', DIETS);
  const wrong = contradictedDiets(diets ?? [], allergens);
  if (diets === null || wrong.length === 0) return diets;
  from.warn('diets', `expected no ${wrong.join(', ')} beside these allergens; left out`);
  const left = diets.filter((diet) => !wrong.includes(diet));
  return left.length === 0 ? null : left;
}

function readNutrition(from: FeedObject): Nutrition | null {
  const entry = from.object('nutrition');
  if (!entry) return null;
  refuseUnknownFields(entry, NUTRITION_FIELDS);
  const nutrition: Nutrition = {
    calories: entry.number('calories', { min: 0, max: FEED_LIMITS.calories }) ?? null,
    ...recordByName(NUTRIENTS, (nutrient) => entry.number(nutrient, GRAMS) ?? null),
  };
  return Object.values(nutrition).every((amount) => amount === null) ? null : nutrition;
}

function refuseUnknownFields(entry: FeedObject, known: ReadonlySet<string>): void {
  for (const key of Object.keys(entry.fields)) {
    if (!known.has(key)) entry.fault(key, `expected no field but ${[...known].join(', ')}`);
  }
}

/* How a feed says that a product is sold by weight (docs/weights.md#feeds). */

const SALES = ['piece', 'weight'] as const;

/** An order's step and maximum in thousandths where a feed doesn't state them. */
const DEFAULTS: Readonly<Record<WeightUnit, { step: number; max: number }>> = {
  lb: { step: 250, max: 50_000 },
  oz: { step: 1000, max: 800_000 },
  kg: { step: 250, max: 25_000 },
  g: { step: 50_000, max: 25_000_000 },
};
const TOLERANCE = { min: 0, max: 25 };
const SCALE_CODE = /^\d{1,12}$/;

/** Reads how a product is sold by weight; undefined by the piece. `weight` is read only with `sold_by: "weight"`. */
function readWeight(from: FeedObject): SoldByWeight | undefined {
  if (from.choice('sold_by', SALES) !== 'weight') return undefined;
  from.requirePresent('weight');
  const weight = from.object('weight');
  if (!weight) return undefined;
  weight.requirePresent('unit');
  const unit = weight.choice('unit', WEIGHT_UNITS);
  const per = readAmount(weight, 'price_per') ?? 1000;
  const given = { step: readAmount(weight, 'step'), min: readAmount(weight, 'min'), max: readAmount(weight, 'max') };
  const piece = readAmount(weight, 'piece_weight') ?? null;
  const tolerancePercent = weight.whole('tolerance_percent', TOLERANCE) ?? (piece === null ? 10 : 20);
  const scaleCode = readScaleCode(weight);
  if (!unit) return undefined;
  const { step = DEFAULTS[unit].step, min = step } = given;
  const { max = Math.max(min, DEFAULTS[unit].max - (DEFAULTS[unit].max % step)) } = given;
  if (min % step !== 0) weight.fault('min', 'expected a multiple of step');
  if (max % step !== 0) weight.fault('max', 'expected a multiple of step');
  else if (max < min) weight.fault('max', 'expected at least min');
  return { unit, per, step, min, max, piece, tolerancePercent, scaleCode };
}

function readAmount(from: FeedObject, key: string): number | undefined {
  const value = from.value(key);
  const milli = readMilli(value);
  if (value !== undefined && !milli) from.fault(key, 'expected a number above 0, with at most three decimals');
  return milli || undefined;
}

/** A code without its leading zeros, which labels add and numbers lose. */
function readScaleCode(from: FeedObject): string | null {
  const code = from.withNumberAsText('scale_code').text('scale_code', Number.POSITIVE_INFINITY) || null;
  if (code !== null && !SCALE_CODE.test(code)) from.fault('scale_code', 'expected 1 to 12 digits');
  return code && plainItem(code);
}

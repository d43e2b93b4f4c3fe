import { cleanText } from '../../platform/lib/plain-text.ts';
import type { OsmHours } from '../stores/osm-hours.ts';
import { TAX_CLASSES, type TaxClass, taxClassOf } from '../stores/tax-class.ts';

/** Readers of a store line's fields. They collect every fault and warning with its path, and apply a feed's limits. */

/** Limits per feed: far above real feeds, low enough that a hostile feed does no harm. */
export const FEED_LIMITS = {
  /** Bytes per line of a feed or categories file. */
  lineBytes: 64 * 1024 * 1024,
  idCharacters: 256,
  nameCharacters: 500,
  descriptionCharacters: 10_000,
  addressCharacters: 300,
  phoneCharacters: 100,
  urlCharacters: 2048,
  upcCharacters: 64,
  unitCharacters: 50,
  cuisines: 100,
  photos: 200,
  categoryDepth: 32,
  categoriesPerStore: 200_000,
  customizationDepth: 32,
  customizationsPerList: 1000,
  optionsPerProduct: 20_000,
  feeThresholds: 100,
  priceCents: 100_000_000,
  percent: 100,
  quantity: 1_000_000_000,
  choiceQuantity: 10_000,
  /** Maximum words in a list of allergens or diets, repetitions included. */
  foodWords: 100,
  /** Maximum calories per unit sold; a sack of flour has 90,000 kilocalories. */
  calories: 1_000_000,
  grams: 1_000_000,
  sourceCharacters: 500,
  prepMinutes: 10_080,
  radiusMiles: 1000,
  /** Maximum parties per store, zones per party, and positions of all areas per store. */
  deliveryParties: 10,
  deliveryZones: 100,
  deliveryPositions: 20_000,
  /** Maximum faults or warnings listed per line. */
  faultsPerLine: 1000,
} as const;

/** A line's fault or warning: a JSON path, such as `categories[0].products[3].price`, and what was expected there. */
export type LineFault = { path: string; message: string };

/** The path from a line's root to a value. A linked list, so that only reported paths are turned into text. */
export type FeedPath = { readonly parent: FeedPath | null; readonly key: string | number };

/** All faults and warnings of a line, in the order found. */
export type LineReport = { faults: LineFault[]; warnings: LineFault[] };

export type ReadOsmHours = (rules: string) => OsmHours;

/** The state shared by the readers of one line. */
type LineContext = { readonly report: LineReport; readonly readOsmHours: ReadOsmHours };

/** A JSON object of a feed with its path. Each reader below reads one of its fields. */
export type FeedObject = LineContext & {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly path: FeedPath | null;
};

type Bounds = { min: number; max: number };

export const MISSING_TEXT = 'missing or empty; give it a value';
export const MISSING = 'expected present';

function pathText(path: FeedPath | null): string {
  if (path === null) return '';
  const before = pathText(path.parent);
  if (typeof path.key === 'number') return `${before}[${path.key}]`;
  return before === '' ? path.key : `${before}.${path.key}`;
}

export function addFault(report: LineReport, path: FeedPath | null, message: string): void {
  if (report.faults.length < FEED_LIMITS.faultsPerLine) report.faults.push({ path: pathText(path), message });
}

function addWarning(report: LineReport, path: FeedPath | null, message: string): void {
  if (report.warnings.length < FEED_LIMITS.faultsPerLine) report.warnings.push({ path: pathText(path), message });
}

export function faultAt(from: FeedObject, key: string, message: string): void {
  addFault(from.report, { parent: from.path, key }, message);
}

export function warnAt(from: FeedObject, key: string, message: string): void {
  addWarning(from.report, { parent: from.path, key }, message);
}

/** A field's value; null counts as absent. */
export function fieldValue(from: FeedObject, key: string): unknown {
  return Object.hasOwn(from.fields, key) ? (from.fields[key] ?? undefined) : undefined;
}

export function asObject(value: unknown, path: FeedPath | null, context: LineContext): FeedObject | null {
  const { report, readOsmHours } = context;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { fields: value as Record<string, unknown>, path, report, readOsmHours };
  }
  addFault(report, path, 'expected an object');
  return null;
}

/** A nested object; undefined if absent or faulty. */
export function readObject(from: FeedObject, key: string): FeedObject | undefined {
  const value = fieldValue(from, key);
  if (value === undefined) return undefined;
  return asObject(value, { parent: from.path, key }, from) ?? undefined;
}

/** A list's members with their paths; empty if absent or faulty. */
export function readList(from: FeedObject, key: string, max: number): { value: unknown; path: FeedPath }[] {
  const value = fieldValue(from, key);
  if (value === undefined) return [];
  if (!Array.isArray(value)) faultAt(from, key, 'expected a list');
  else if (value.length > max) faultAt(from, key, `expected at most ${max} entries`);
  else {
    const path = { parent: from.path, key };
    return value.map((member, index) => ({ value: member, path: { parent: path, key: index } }));
  }
  return [];
}

/** A list's objects; members of another type are faults. */
export function readObjects(from: FeedObject, key: string, max: number): FeedObject[] {
  return readList(from, key, max)
    .map(({ value, path }) => asObject(value, path, from))
    .filter((object) => object !== null);
}

/** Cleaned text; undefined if absent or faulty. */
export function readText(from: FeedObject, key: string, maxCharacters: number): string | undefined {
  const value = fieldValue(from, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') {
    faultAt(from, key, 'expected text');
    return undefined;
  }
  const text = cleanText(value);
  if (text.length <= maxCharacters) return text;
  faultAt(from, key, `expected at most ${maxCharacters} characters`);
  return undefined;
}

/**
 * A numeric field that sources write as text or number: postal codes, phones, bar codes. A number whose digits JSON
 * parsing changes stays a number, so that `readText` refuses it.
 */
export function withNumberAsText(from: FeedObject, key: string): FeedObject {
  const value = fieldValue(from, key);
  const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isExact ? { ...from, fields: { [key]: String(value) } } : from;
}

/** Required text; empty if missing, with its fault reported. */
export function requireText(from: FeedObject, key: string, maxCharacters: number): string {
  const value = fieldValue(from, key);
  const text = readText(from, key, maxCharacters);
  if (value === undefined || text === '') faultAt(from, key, MISSING_TEXT);
  return text ?? '';
}

export const UNIQUE_IN_STORE = 'expected unique within the store';
export const UNIQUE_IN_PRODUCT = 'expected unique within the product';

/** Reads an id that is not in `seen` yet, and adds it. */
export function requireNewId(
  from: FeedObject,
  seen: Set<string>,
  expected: typeof UNIQUE_IN_STORE | typeof UNIQUE_IN_PRODUCT,
): string {
  const id = requireText(from, 'id', FEED_LIMITS.idCharacters);
  if (id !== '' && seen.has(id)) faultAt(from, 'id', expected);
  seen.add(id);
  return id;
}

export function readFlag(from: FeedObject, key: string, fallback: boolean): boolean {
  const value = fieldValue(from, key);
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') faultAt(from, key, 'expected true or false');
  return value === true;
}

/** A decimal number within bounds; undefined if absent or faulty. */
export function readNumber(from: FeedObject, key: string, { min, max }: Bounds): number | undefined {
  const value = fieldValue(from, key);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= min && value <= max) return value;
  const wrongType = typeof value !== 'number' || !Number.isFinite(value);
  faultAt(from, key, wrongType ? 'expected a number' : `expected a number from ${min} to ${max}`);
  return undefined;
}

/** A whole number within bounds; undefined if absent or faulty. */
export function readWhole(from: FeedObject, key: string, { min, max }: Bounds): number | undefined {
  const value = fieldValue(from, key);
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  faultAt(from, key, `expected a whole number from ${min} to ${max}`);
  return undefined;
}

export function readCents(from: FeedObject, key: string): number | undefined {
  const value = fieldValue(from, key);
  if (value === undefined) return undefined;
  if (isCents(value)) return value;
  faultAt(from, key, EXPECTED_CENTS);
  return undefined;
}

export const EXPECTED_CENTS = `expected whole cents from 0 to ${FEED_LIMITS.priceCents}`;

export function isCents(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= FEED_LIMITS.priceCents;
}

/** One of `choices`; undefined if absent or faulty. */
export function readChoice<T extends string>(from: FeedObject, key: string, choices: readonly T[]): T | undefined {
  const value = fieldValue(from, key);
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? cleanText(value) : value;
  const choice = choices.find((one) => one === text);
  if (choice === undefined) faultAt(from, key, `expected ${choices.join(' or ')}`);
  return choice;
}

export function readTaxClass(from: FeedObject): TaxClass | undefined {
  const value = fieldValue(from, 'tax_class');
  if (value === undefined) return undefined;
  const known = taxClassOf(value);
  if (known === null) faultAt(from, 'tax_class', `expected one of ${TAX_CLASSES.join(', ')}`);
  return known ?? undefined;
}

/** A list's texts, cleaned, without empty ones. */
export function readTexts(from: FeedObject, key: string, max: number, maxCharacters: number): string[] {
  const texts: string[] = [];
  for (const { value, path } of readList(from, key, max)) {
    if (typeof value !== 'string') addFault(from.report, path, 'expected text');
    else if (value.length > maxCharacters) addFault(from.report, path, `expected at most ${maxCharacters} characters`);
    else texts.push(cleanText(value));
  }
  return texts.filter((text) => text !== '');
}

/**
 * Reads a picture's URL. One that a browser could not load is dropped with a warning, and does not reject the store.
 */
export function readUrl(from: FeedObject, key: string): string | null {
  const text = readText(from, key, Number.POSITIVE_INFINITY);
  if (!text) return null;
  if (isWebUrl(text)) return text;
  warnAt(from, key, EXPECTED_URL);
  return null;
}

export function readUrls(from: FeedObject, key: string): string[] {
  const urls: string[] = [];
  for (const { value, path } of readList(from, key, FEED_LIMITS.photos)) {
    const text = typeof value === 'string' ? cleanText(value) : '';
    if (isWebUrl(text)) urls.push(text);
    else addWarning(from.report, path, EXPECTED_URL);
  }
  return urls;
}

const EXPECTED_URL = `expected an http or https URL of at most ${FEED_LIMITS.urlCharacters} characters; left out`;

export function isWebUrl(text: string): boolean {
  return text.length <= FEED_LIMITS.urlCharacters && /^https?:\/\//i.test(text) && URL.canParse(text);
}

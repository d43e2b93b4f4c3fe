import type { Fault } from '../../platform/http/refusal.ts';
import { isJsonObject, type JsonObject } from '../../platform/lib/json-object.ts';
import { cleanText } from '../../platform/lib/plain-text.ts';
import { TAX_CLASSES, type TaxClass, taxClassOf } from './tax-class.ts';

/** Reads the fields of a store line: collects every error and warning with its path, and applies a feed's limits. */

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
  /** Maximum errors or warnings listed per line. */
  faultsPerLine: 1000,
} as const;

/** A line's error or warning: a JSON path, such as `categories[0].products[3].price`, and the expected value. */
export type LineFault = { path: string; message: string };

/** The path from a line's root to a value. A linked list, so that only reported paths are turned into text. */
export type FeedPath = { readonly parent: FeedPath | null; readonly key: string | number };

/** All errors and warnings of a line, in the order found. */
export type LineReport = { faults: LineFault[]; warnings: LineFault[] };

/** The fields read, or their errors. */
export type Read<T> = { ok: true; value: T } | { ok: false; faults: readonly LineFault[] };

/**
 * Reads fields that a store sets itself, in the feed's format. A feed's warnings are errors here, so that nothing typed
 * is dropped silently.
 */
export function readOwnFields<T>(fields: JsonObject, read: (from: FeedObject) => T): Read<T> {
  const report: LineReport = { faults: [], warnings: [] };
  const value = read(new FeedObject(fields, report));
  const faults = [...report.faults, ...report.warnings];
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
}

/** Turns an import's "expected a list" into a sentence about a request's field: "must be a list". */
export function faultOf({ path, message }: LineFault): Fault {
  return { in: 'body', name: path, message: message.replace('expected', 'must be') };
}

type Bounds = { min: number; max: number };

export const MISSING = 'expected present';
export const MISSING_TEXT = 'missing or empty; give it a value';
export const UNIQUE_IN_STORE = 'expected unique within the store';
export const UNIQUE_IN_PRODUCT = 'expected unique within the product';

function pathText(path: FeedPath | null): string {
  if (path === null) return '';
  const before = pathText(path.parent);
  if (typeof path.key === 'number') return `${before}[${path.key}]`;
  return before === '' ? path.key : `${before}.${path.key}`;
}

function add(list: LineFault[], path: FeedPath | null, message: string): void {
  if (list.length < FEED_LIMITS.faultsPerLine) list.push({ path: pathText(path), message });
}

/** The value as an object; undefined, with an error, if it is none. */
export function asObject(value: unknown, report: LineReport, path: FeedPath | null = null): FeedObject | undefined {
  if (isJsonObject(value)) return new FeedObject(value, report, path);
  add(report.faults, path, 'expected an object');
  return undefined;
}

/** A JSON object of a feed with its path. A method that reads a field reports the field's error. */
export class FeedObject {
  readonly fields: JsonObject;
  readonly path: FeedPath | null;
  readonly report: LineReport;

  constructor(fields: JsonObject, report: LineReport, path: FeedPath | null = null) {
    this.fields = fields;
    this.path = path;
    this.report = report;
  }

  /** An object at the same path, with other fields. */
  with(fields: JsonObject): FeedObject {
    return new FeedObject(fields, this.report, this.path);
  }

  addFault(path: FeedPath | null, message: string): void {
    add(this.report.faults, path, message);
  }

  fault(key: string, message: string): void {
    this.addFault({ parent: this.path, key }, message);
  }

  warn(key: string, message: string): void {
    add(this.report.warnings, { parent: this.path, key }, message);
  }

  /** A field's value; null counts as absent. */
  value(key: string): unknown {
    return Object.hasOwn(this.fields, key) ? (this.fields[key] ?? undefined) : undefined;
  }

  has(key: string): boolean {
    return this.value(key) !== undefined;
  }

  requirePresent(key: string): void {
    if (!this.has(key)) this.fault(key, MISSING);
  }

  /** A nested object; undefined if absent or faulty. */
  object(key: string): FeedObject | undefined {
    const value = this.value(key);
    return value === undefined ? undefined : asObject(value, this.report, { parent: this.path, key });
  }

  /**
   * A list's members with their paths; empty if absent or faulty. Null members are left out if there are others: a list
   * of them alone may be a condition, which must not become none.
   */
  list(key: string, max: number): { value: unknown; path: FeedPath }[] {
    const value = this.value(key);
    if (value === undefined) return [];
    if (!Array.isArray(value)) this.fault(key, 'expected a list');
    else if (value.length > max) this.fault(key, `expected at most ${max} entries`);
    else {
      const path = { parent: this.path, key };
      const members = value.map((member, index) => ({ value: member, path: { parent: path, key: index } }));
      return value.every((member) => member === null) ? members : members.filter((member) => member.value !== null);
    }
    return [];
  }

  /** A list's objects; members of another type are errors. */
  objects(key: string, max: number): FeedObject[] {
    return this.list(key, max)
      .map(({ value, path }) => asObject(value, this.report, path))
      .filter((object) => object !== undefined);
  }

  /** Cleaned text; undefined if absent or faulty. */
  text(key: string, maxCharacters: number): string | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') {
      this.fault(key, 'expected text');
      return undefined;
    }
    const text = cleanText(value);
    if (text.length <= maxCharacters) return text;
    this.fault(key, `expected at most ${maxCharacters} characters`);
    return undefined;
  }

  /**
   * A numeric field that sources write as text or number: postal codes, phones, bar codes. A number whose digits JSON
   * parsing changes stays a number, so that `text` refuses it. `pad` restores the zeros that a number lost, which a
   * spreadsheet may have written as text.
   */
  withNumberAsText(key: string, pad: (digits: string) => string = (digits) => digits): FeedObject {
    const value = this.value(key);
    const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    if (typeof value === 'string') return this.with({ [key]: pad(cleanText(value)) });
    return isExact ? this.with({ [key]: pad(String(value)) }) : this;
  }

  /** Required text; empty if missing, with its error reported. */
  requireText(key: string, maxCharacters: number): string {
    const text = this.text(key, maxCharacters);
    if (!this.has(key) || text === '') this.fault(key, MISSING_TEXT);
    return text ?? '';
  }

  /** Reads an id that is not in `seen` yet, and adds it. */
  requireNewId(seen: Set<string>, expected: typeof UNIQUE_IN_STORE | typeof UNIQUE_IN_PRODUCT): string {
    const id = this.requireText('id', FEED_LIMITS.idCharacters);
    if (id !== '' && seen.has(id)) this.fault('id', expected);
    seen.add(id);
    return id;
  }

  flag(key: string, fallback: boolean): boolean {
    const value = this.value(key);
    if (value === undefined) return fallback;
    if (typeof value !== 'boolean') this.fault(key, 'expected true or false');
    return value === true;
  }

  /** A decimal number within limits; undefined if absent or faulty. */
  number(key: string, { min, max }: Bounds): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && value >= min && value <= max) return value;
    const wrongType = typeof value !== 'number' || !Number.isFinite(value);
    this.fault(key, wrongType ? 'expected a number' : `expected a number from ${min} to ${max}`);
    return undefined;
  }

  /** A whole number within limits; undefined if absent or faulty. */
  whole(key: string, { min, max }: Bounds): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (isWhole(value, min, max)) return value;
    this.fault(key, `expected a whole number from ${min} to ${max}`);
    return undefined;
  }

  cents(key: string): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    const cents = readCents(value);
    if (typeof cents === 'number') return cents;
    this.fault(key, cents.expected);
    return undefined;
  }

  /** One of `choices`; undefined if absent or faulty. */
  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    const text = typeof value === 'string' ? cleanText(value) : value;
    const choice = choices.find((one) => one === text);
    if (choice === undefined) this.fault(key, `expected ${choices.join(' or ')}`);
    return choice;
  }

  taxClass(): TaxClass | undefined {
    const value = this.value('tax_class');
    if (value === undefined) return undefined;
    const known = taxClassOf(value);
    if (known === null) this.fault('tax_class', `expected one of ${TAX_CLASSES.join(', ')}`);
    return known ?? undefined;
  }

  /** A list's texts, cleaned, without empty ones. */
  texts(key: string, max: number, maxCharacters: number): string[] {
    const texts: string[] = [];
    for (const { value, path } of this.list(key, max)) {
      if (typeof value !== 'string') this.addFault(path, 'expected text');
      else if (value.length > maxCharacters) this.addFault(path, `expected at most ${maxCharacters} characters`);
      else texts.push(cleanText(value));
    }
    return texts.filter((text) => text !== '');
  }

  /** Reads a picture's URL. A URL that browsers can't load is dropped with a warning; the store stays valid. */
  url(key: string): string | null {
    const text = this.text(key, Number.POSITIVE_INFINITY);
    if (!text) return null;
    if (isWebUrl(text)) return text;
    this.warn(key, EXPECTED_URL);
    return null;
  }

  urls(key: string): string[] {
    const urls: string[] = [];
    for (const { value, path } of this.list(key, FEED_LIMITS.photos)) {
      const text = typeof value === 'string' ? cleanText(value) : '';
      if (isWebUrl(text)) urls.push(text);
      else add(this.report.warnings, path, EXPECTED_URL);
    }
    return urls;
  }
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

const EXPECTED_CENTS = `expected whole cents from 0 to ${FEED_LIMITS.priceCents}`;
/** The error for a price such as "Market Price" or 32.97, which leaves out its product instead of the store. */
export const NO_AMOUNT = `${EXPECTED_CENTS}, not text or a fraction`;
const BINARY_NOISE = 1e-6;

/** Whole cents, but for binary noise (`3297.0000000000005`), or the expected value. */
export function readCents(value: unknown): number | { expected: string } {
  const nearest = typeof value === 'number' ? Math.round(value) : Number.NaN;
  const isAmount = typeof value === 'number' && Math.abs(value - nearest) < BINARY_NOISE;
  if (isAmount && isWhole(nearest, 0, FEED_LIMITS.priceCents)) return nearest + 0;
  const isNoAmount = typeof value === 'string' || (typeof value === 'number' && !isAmount);
  return { expected: isNoAmount ? NO_AMOUNT : EXPECTED_CENTS };
}

const EXPECTED_URL = `expected an http or https URL of at most ${FEED_LIMITS.urlCharacters} characters; left out`;

export function isWebUrl(text: string): boolean {
  return text.length <= FEED_LIMITS.urlCharacters && /^https?:\/\//i.test(text) && URL.canParse(text);
}

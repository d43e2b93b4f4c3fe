import assert from 'node:assert/strict';
import { type FeedStore, parseStoreLine } from '../src/supply/imports/parse-store-line.ts';

export type Line = Record<string, unknown>;

export const BARE = {
  external_id: 'bare',
  name: 'Bare',
  type: 'grocery',
  address: { street_addr: '120 5th Ave', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
  latitude: 40.7383,
  longitude: -73.9927,
};

export function storeOf(line: Line): FeedStore {
  const parsed = parseStoreLine(line);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.store;
}

export function faultsOf(line: unknown): string[] {
  const parsed = parseStoreLine(line);
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`);
}

export const warningsOf = (line: Line): string[] =>
  parseStoreLine(line).warnings.map(({ path, message }) => `${path}: ${message}`);

export const withProduct = (product: Line): Line => ({
  ...BARE,
  categories: [{ id: 'c', name: 'C', products: [{ id: 'p', name: 'P', price: 100, ...product }] }],
});
export const productOf = (product: Line) => storeOf(withProduct(product)).catalog.products[0]?.product;
export const at = (path: string) => `categories[0].products[0].${path}`;

/** A copy of the line with the field at that path set or removed. */
export function changed(line: Line, path: string, value?: unknown): Line {
  const copy = structuredClone(line);
  const keys = path.split('.');
  const last = keys.pop() as string;
  const holder = keys.reduce<Line>((object, key) => object[key] as Line, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

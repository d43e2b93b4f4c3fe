import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../source-files.ts';

/** The worked examples of goods by weight with every cent, which are not part of the sources. Weights are decimals. */

type Fee = { flat?: number; percent?: number; min?: number; max?: number; taxable?: boolean };
export type WeighedLine = {
  name: string;
  sold_by: 'weight' | 'piece';
  price: number;
  taxClass: string;
  /** Thousandths. */
  ordered?: number;
  tolerance?: number;
  per?: number;
  quantity?: number;
};
export type WorkedWeights = {
  name: string;
  input: {
    lines: WeighedLine[];
    fees: { delivery: Fee & { thresholds?: { minimum: number; flat: number }[] }; service: Fee };
    taxes: { name: string; percent: number; classes: string[] }[];
    tip?: number;
    promotion?: { kind: 'percent' | 'amount'; percent?: number; amount?: number; payer: 'store' | 'operator' };
  };
  final: (string | number)[];
  /** What price labels say. */
  fixed?: (number | null)[];
  expected: {
    estimate: number;
    max: (string | number)[];
    authorized: number;
    goods: number[];
    fees: { delivery: number; service: number; small: number };
    discount: number;
    tax: number;
    captured: number;
    released: number;
    labels?: ({ item: string; milli?: number; cents?: number } | { error: string })[];
    refunds?: { goods: number; tax: number; refund: number }[];
  };
};

const FILE = join(ROOT, '../shared/data/examples/weights.json');
const READ: WorkedWeights[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [];

/** Example 6 taxes a whole service fee; our orders tax the part of the taxed goods (docs/quotes.md#taxes). */
const BY_CLASS = { estimate: 4405, authorized: 4679, tax: 75, captured: 4172, released: 507 };
export const WORKED_WEIGHTS: WorkedWeights[] = READ.map((one) =>
  one.name.startsWith('6 ') ? { ...one, expected: { ...one.expected, ...BY_CLASS } } : one,
);
/** Why tests of the examples are skipped; false where they are there. */
export const skipWeights = WORKED_WEIGHTS.length === 0 && 'no ../shared/data';

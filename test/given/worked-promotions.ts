import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Payer } from '../../src/supply/pricing/promotion.ts';
import type { Country } from '../../src/supply/stores/store.ts';
import { ROOT } from '../source-files.ts';

/** The worked examples of promotions with every cent, which are not part of the sources. */

export type Funding = Partial<Record<Payer, number>>;
export type Fee = { flat?: number; percent?: number; min?: number; max?: number; taxable?: boolean };
export type Line = {
  name: string;
  unit: number;
  base?: number;
  quantity: number;
  taxClass: string;
  item_price?: { price: number; funding: Funding };
};
export type Offer = {
  id: string;
  slot: 'store' | 'market' | 'delivery';
  kind?: 'percent' | 'amount' | 'buy_get';
  percent?: number;
  amount?: number;
  max_discount?: number;
  minimum_subtotal?: number;
  buy?: number;
  get?: number;
  code?: string;
  funding: Funding;
};
export type Worked = {
  name: string;
  input: {
    place: { country: Country; state: string };
    mode: 'delivery' | 'pickup';
    lines: Line[];
    fees: { delivery: Fee; service: Fee };
    taxes: { name: string; percent: number }[];
    tip: number;
    promotions: Offer[];
    terms: { commission: number; delivery: 'store' | 'operator'; tax: 'operator' };
    delivery_owner?: Payer;
  };
  expected: {
    subtotal: number;
    delivery: number;
    service: number;
    small: number;
    taxes: { name: string; base: number; cents: number }[];
    sales_tax: number;
    discounts: { id: string; slot: string; amount: number; lines: number[]; delivery?: number; paid_by: Funding }[];
    discount_cents: number;
    total_without_tips: number;
    tip: number;
    total_with_tip: number;
    commission: number;
    payout: number;
    owners: Record<string, number>;
    refunds?: { refund: number }[];
    without?: { S: number; delivery: number; service: number; small: number; tax: number; total: number };
    of_the_store?: number;
  };
};

const FILE = join(ROOT, '../shared/data/examples/promotions.json');
export const WORKED: Worked[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [];
/** Why tests of the examples are skipped; false where they are there. */
export const skipWorked = WORKED.length === 0 && 'no ../shared/data';

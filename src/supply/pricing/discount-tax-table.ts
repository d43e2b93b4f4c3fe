import { readRegion, regionName } from '../stores/region.ts';
import type { Country } from '../stores/store.ts';
import { type Payer, PROMOTION_KINDS, type PromotionKind } from './promotion.ts';

/*
 * Whether a discount lowers the taxed price, by who pays it (docs/taxes.md#discounts). A seller that lowers its own
 * price (the store its items, the owner of the delivery fee that fee) is taxed on the rest. Anyone else reimburses
 * the seller as a third party, and the reimbursement is a part of the price in most places.
 */

/** `own`: the seller of the discounted goods pays; `other`: a third party does. */
type DiscountFunder = 'own' | 'other';

export type DiscountTaxRow = {
  /** Codes of a country, or of its regions; a region without a row contains its country's. */
  places: readonly string[];
  payer: DiscountFunder;
  kinds: readonly PromotionKind[];
  /** The taxed price: before the discount, or after it. */
  base: 'before' | 'after';
  /** Names of sources (test/reference/tax-sources.ts). */
  sources: string;
  /** Whether a source that was read says so; `with_code`: of discounts that a code is entered for. */
  confirmed: boolean | 'with_code';
};

const FIXED: readonly PromotionKind[] = ['amount', 'spend', 'delivery'];
const RELATIVE: readonly PromotionKind[] = ['percent', 'buy_get', 'item_price'];
const GST_PLACES = ['AB', 'NB', 'NL', 'NS', 'NT', 'NU', 'ON', 'PE', 'YT'].map((code) => `CA-${code}`);

/** The first row of a place, payer and kind applies. */
// biome-ignore format: one row per line
export const DISCOUNT_TAX_ROWS: readonly DiscountTaxRow[] = [
  { places: ['US'], payer: 'own', kinds: PROMOTION_KINDS, base: 'after', sources: 'ssuta', confirmed: true },
  { places: ['CA'], payer: 'own', kinds: PROMOTION_KINDS, base: 'after', sources: 'cracoupons rqother', confirmed: true },
  { places: ['US-CA'], payer: 'other', kinds: PROMOTION_KINDS, base: 'before', sources: 'ca113 ddus', confirmed: true },
  { places: ['US-ME'], payer: 'other', kinds: PROMOTION_KINDS, base: 'before', sources: 'me2073', confirmed: true },
  { places: ['US-MN'], payer: 'other', kinds: PROMOTION_KINDS, base: 'before', sources: 'mndiscounts', confirmed: true },
  { places: ['US-NY'], payer: 'other', kinds: PROMOTION_KINDS, base: 'before', sources: 'ny140', confirmed: true },
  { places: ['US-PA'], payer: 'other', kinds: PROMOTION_KINDS, base: 'before', sources: 'pamyers', confirmed: true },
  { places: ['US-TN'], payer: 'other', kinds: PROMOTION_KINDS, base: 'before', sources: 'tn24', confirmed: true },
  { places: ['US-TX'], payer: 'other', kinds: PROMOTION_KINDS, base: 'after', sources: 'ddus', confirmed: false },
  { places: ['US-MA'], payer: 'other', kinds: PROMOTION_KINDS, base: 'after', sources: 'ma64h', confirmed: false },
  { places: ['US'], payer: 'other', kinds: PROMOTION_KINDS, base: 'before', sources: 'ssuta', confirmed: false },
  { places: ['CA-QC'], payer: 'other', kinds: FIXED, base: 'before', sources: 'rqcoupons nestle', confirmed: 'with_code' },
  { places: ['CA-QC'], payer: 'other', kinds: RELATIVE, base: 'after', sources: 'rqother ddca', confirmed: true },
  { places: GST_PLACES, payer: 'other', kinds: FIXED, base: 'before', sources: 'cracoupons nestle', confirmed: 'with_code' },
  { places: GST_PLACES, payer: 'other', kinds: RELATIVE, base: 'after', sources: 'cracoupons ddca', confirmed: true },
  { places: ['CA'], payer: 'other', kinds: FIXED, base: 'before', sources: 'ddca', confirmed: false },
  { places: ['CA'], payer: 'other', kinds: RELATIVE, base: 'after', sources: 'ddca', confirmed: false },
];

/** Where a store is; `state` in any way that `readRegion` reads. */
export type DiscountPlace = { country: Country; state: string };

function rowFor({ country, state }: DiscountPlace, payer: DiscountFunder, kind: PromotionKind): DiscountTaxRow {
  const rowIn = (place: string) =>
    DISCOUNT_TAX_ROWS.find((row) => row.payer === payer && row.kinds.includes(kind) && row.places.includes(place));
  const row = rowIn(`${country}-${readRegion(state, country)}`) ?? rowIn(country);
  if (!row) throw new RangeError(`no row says how a discount of kind ${kind} is taxed in ${country}`);
  return row;
}

/** A discount's kind, and who owns the price that it lowers: the store, or the owner of the delivery fee. */
type TaxedDiscount = { kind: PromotionKind; priceOwner: Payer };

/** Whether the part of a discount that `payer` pays lowers the taxed price. */
export function lowersTax(place: DiscountPlace, payer: Payer, { kind, priceOwner }: TaxedDiscount): boolean {
  return rowFor(place, payer === priceOwner ? 'own' : 'other', kind).base === 'after';
}

/** A payer's part of a promotion in a place. */
export type ActiveDiscount = DiscountPlace & TaxedDiscount & { payer: Payer; hasCode: boolean };

/** Whether no source confirms how a payer's part of a discount is taxed. */
function isAssumed({ payer, kind, priceOwner, hasCode, ...place }: ActiveDiscount): boolean {
  const { confirmed } = rowFor(place, payer === priceOwner ? 'own' : 'other', kind);
  return confirmed === 'with_code' ? !hasCode : !confirmed;
}

/** The names of the places where no source confirms how these discounts are taxed. */
export function assumedPlaces(discounts: readonly ActiveDiscount[]): readonly string[] {
  const names = discounts
    .filter(isAssumed)
    .map(({ country, state }) => regionName(readRegion(state, country) ?? '', country) ?? state);
  return [...new Set(names)].sort();
}

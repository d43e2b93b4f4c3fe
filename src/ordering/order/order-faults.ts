import { type Fault, Refusal, type RefusalCode } from '../../platform/http/refusal.ts';
import type { UnavailableBecause } from '../../supply/catalog/availability.ts';
import type { ProductRef } from '../../supply/catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import type { QuoteErrorType } from '../../supply/pricing/quote.ts';
import type { OptionFault } from './choose-options.ts';
import { type OrderRequest, type QuotedItem, type RequestedItem, requestedSubstitutes } from './order.ts';

/** An order with several errors gets the first of these codes (docs/orders.md#order-errors). */
export const FAULT_RANKING = [
  'product_not_found',
  'payment_method_not_found',
  'pickup_not_supported',
  'quote_unavailable',
  'product_unavailable',
  'invalid_options',
  'mixed_stores',
  'order_minimum_not_met',
  'slot_unavailable',
  'payment_method_mismatch',
  'markup_not_allowed',
  'invalid_request',
] as const satisfies readonly RefusalCode[];
type FaultCode = (typeof FAULT_RANKING)[number];

/** An error of an order, and the ids that its error lists. */
export type OrderFault = {
  code: FaultCode;
  name: string;
  message: string;
  productIds?: readonly string[];
  optionIds?: readonly string[];
  quoteError?: QuoteErrorType;
  /** For wrong options: the product, the modifier group and the error. */
  product?: CatalogProduct;
  customizationId?: string | null;
  kind?: OptionFault['kind'];
  /** Why a product is unavailable; absent where units are too few. */
  because?: UnavailableBecause;
  /** Units that the store has, if they are too few. */
  left?: number;
};

/** Maximum characters of `errors` as JSON. Real orders stay far below; a hostile order could reach gigabytes. */
const MAX_ERRORS_CHARACTERS = 500_000;
/** Maximum errors. After that, no more options are checked. */
export const MAX_FAULTS = 20_000;

/** The index of the item that a field of an order is of, by the member's name; undefined for members of no item. */
export function itemIndexIn(name: string): number | undefined {
  const index = /^items\[(\d+)\]/.exec(name)?.[1];
  return index === undefined ? undefined : Number(index);
}

/** Returns the error of an item whose `product_id` is unknown. */
export function unknownProduct(productId: string, index: number): OrderFault {
  const message = 'There is no such product.';
  return { code: 'product_not_found', name: `items[${index}].product_id`, message, productIds: [productId] };
}

/**
 * Lists stock errors, one per product. Items of the same product share its stock, so the error is about the first item
 * that is short. A product without any unit left is `sold_out`, a different error.
 */
export function stockFaults(
  items: readonly Pick<RequestedItem, 'productId' | 'quantity'>[],
  products: ReadonlyMap<string, Pick<CatalogProduct, 'name' | 'qtyAvailable'>>,
): OrderFault[] {
  const wanted = new Map<string, number>();
  return items.flatMap(({ productId, quantity }, index) => {
    const product = products.get(productId);
    const left = product?.qtyAvailable ?? null;
    if (!product || left === null || left === 0) return [];
    const before = wanted.get(productId) ?? 0;
    wanted.set(productId, before + quantity);
    if (before > left || before + quantity <= left) return [];
    const message = `Only ${left} of "${product.name}" are left.`;
    const fault = { code: 'product_unavailable' as const, name: `items[${index}].quantity`, message, left };
    return [{ ...fault, productIds: [productId] }];
  });
}

/** Whether an order is handed off in person: with alcohol an ID is seen, and cash is collected. */
export function isInPerson(items: readonly Pick<QuotedItem, 'isAlcoholic'>[], isCollected: boolean): boolean {
  return isCollected || items.some(({ isAlcoholic }) => isAlcoholic);
}

/** The error of a delivery that is to be left at the door and cannot be. */
export function leftAtDoorFaults(
  { mode, customer }: Pick<OrderRequest, 'mode' | 'customer'>,
  items: readonly Pick<QuotedItem, 'isAlcoholic'>[],
  isCollected: boolean,
): OrderFault[] {
  if (mode === 'pickup' || customer.dropOff?.where !== 'leave_at_door' || !isInPerson(items, isCollected)) return [];
  const message = "An order with alcohol, or with cash to collect, can't be left at the door.";
  return [{ code: 'invalid_request', name: 'drop_off.where', message }];
}

/** Returns the error of a cart that would be charged below the store's own price (docs/quotes.md#money). */
export function belowStorePrice(markupCents: number): OrderFault {
  const message = `The marked prices are ${-markupCents} cents below the store's prices in total.`;
  return { code: 'markup_not_allowed', name: 'items', message };
}

/** The error of an order, with its errors for pages that use their own sentences. */
export class OrderRefused extends Refusal {
  readonly faults: readonly OrderFault[];

  constructor(code: RefusalCode, detail: string, extras: Refusal['extras'], faults: readonly OrderFault[]) {
    super(code, detail, extras);
    this.faults = faults;
  }
}

/**
 * Returns one error for all errors, with the code of the highest-ranked one. `errors` lists them all, up to 500,000
 * characters. `invalid_option_ids` is present for every error of options, and empty if choices are only missing.
 */
export function refusalOfFaults(faults: readonly OrderFault[]): OrderRefused {
  const rank = ({ code }: OrderFault) => FAULT_RANKING.indexOf(code);
  const sorted = [...faults].sort((a, b) => rank(a) - rank(b));
  const [first] = sorted;
  const has = (code: FaultCode) => sorted.some((fault) => fault.code === code);
  const productIds = sorted.flatMap((fault) => fault.productIds ?? []);
  const optionIds = sorted.flatMap((fault) => fault.optionIds ?? []);
  const members = {
    ...(productIds.length > 0 || has('product_unavailable') ? { invalid_product_ids: [...new Set(productIds)] } : {}),
    ...(has('invalid_options') ? { invalid_option_ids: [...new Set(optionIds)] } : {}),
    ...(first?.quoteError ? { quote_error: first.quoteError } : {}),
  };
  const errors = listed(sorted);
  const where = errors.length < sorted.length ? 'some of them listed in errors' : 'listed in errors';
  const sentence = `${first?.message ?? 'The order is not valid.'}${describeFurtherFaults(sorted.length - 1, where)}`;
  return new OrderRefused(first?.code ?? 'invalid_request', sentence, { errors, members }, sorted);
}

function listed(faults: readonly OrderFault[]): Fault[] {
  const errors: Fault[] = [];
  let characters = 0;
  for (const { name, message } of faults) {
    const fault: Fault = { in: 'body', name, message };
    characters += JSON.stringify(fault).length;
    if (errors.length > 0 && characters > MAX_ERRORS_CHARACTERS) {
      const left = faults.length - errors.length;
      return [...errors, { in: 'body', name: 'items', message: `At least ${left} more errors are not listed.` }];
    }
    errors.push(fault);
  }
  return errors;
}

function describeFurtherFaults(count: number, where: string): string {
  if (count < 1) return '';
  return count === 1 ? ` There is 1 more error, ${where}.` : ` There are ${count} more errors, ${where}.`;
}

/** Returns the error of an unknown order, and of another account's order. */
export const orderNotFound = (): Refusal => new Refusal('order_not_found', 'There is no such order.');

/** Lists errors of named substitutes, which must be products of the store. `refs` has the tokens that are products. */
export function namedSubstituteFaults(
  items: readonly RequestedItem[],
  refs: ReadonlyMap<string, ProductRef | undefined>,
  products: ReadonlyMap<string, CatalogProduct>,
  storeId: string,
): OrderFault[] {
  return items.flatMap(({ substitution }, index) => {
    const name = `items[${index}].substitution.product_ids`;
    return requestedSubstitutes(substitution).flatMap((productId): OrderFault[] => {
      const ref = refs.get(productId);
      if (ref && ref.storeId !== storeId) {
        return [{ code: 'mixed_stores', name, message: 'A substitute must be from the same store as the item.' }];
      }
      if (products.has(productId)) return [];
      return [{ code: 'product_not_found', name, message: 'There is no such product.', productIds: [productId] }];
    });
  });
}

import type { Fault } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { decimalOfMilli, type Milli, type SoldByWeight } from '../../supply/pricing/weight.ts';
import type { RequestedAmount, RequestedItem } from '../order/order.ts';
import { OrderRefused } from '../order/order-faults.ts';
import { MAX_QUANTITY } from './order-body.ts';

/**
 * The items by how their products are sold: items sold by weight have their `amount` and a `quantity` of 1, others only
 * a whole `quantity`. Or every wrong quantity. Unknown products stay as they are.
 */
export function readItems(
  items: readonly RequestedItem[],
  products: ReadonlyMap<string, Pick<CatalogProduct, 'weight'>>,
): { items: readonly RequestedItem[] } | { faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = items.map((item, index) => {
    const product = products.get(item.productId);
    const one = product ? readItem(item, product) : item;
    if (typeof one !== 'string') return one;
    faults.push({ in: 'body', name: `items[${index}].quantity`, message: one });
    return item;
  });
  return faults.length > 0 ? { faults } : { items: read };
}

/** The items of `readItems`. Throws OrderRefused `invalid_request` with its errors. */
export function weighItems(...inputs: Parameters<typeof readItems>): readonly RequestedItem[] {
  const read = readItems(...inputs);
  if (!('faults' in read)) return read.items;
  const { code, message, extras } = invalidRequest(read.faults);
  const faults = read.faults.map((fault) => ({ ...fault, code: 'invalid_request' as const }));
  throw new OrderRefused(code, message, extras, faults);
}

/** The item, or the error of its quantity. */
function readItem(item: RequestedItem, { weight }: Pick<CatalogProduct, 'weight'>): RequestedItem | string {
  if (weight) {
    const amount = readAmount(item, weight);
    return typeof amount === 'string' ? amount : { ...item, quantity: 1, amount };
  }
  const { amount = {}, ...counted } = item;
  if (amount.pieces !== undefined) return 'cannot be sent as pieces: the product is not sold by weight';
  if (amount.milli !== undefined) return 'must be a whole number';
  return rangeFault(item.quantity) ?? counted;
}

const rangeFault = (quantity: number): string | undefined =>
  quantity < 1 ? 'must be at least 1' : quantity > MAX_QUANTITY ? `must be at most ${MAX_QUANTITY}` : undefined;

/** An item's weight or pieces. Without either: one of the unit, otherwise the price's amount, otherwise the least. */
function readAmount({ amount, quantity }: RequestedItem, { unit, per, step, min, max, piece }: SoldByWeight) {
  const shown = (milli: Milli) => `${decimalOfMilli(milli)} ${unit}`;
  const isOrderable = (milli: Milli) => milli >= min && milli <= max && milli % step === 0;
  const whole = amount?.isCount && piece !== null ? { pieces: quantity } : { milli: quantity * 1000 };
  const { milli, pieces, unit: givenUnit = unit }: RequestedAmount = amount && !amount.isCount ? amount : whole;
  if (givenUnit !== unit) return `must be in ${unit}`;
  if (pieces !== undefined) {
    if (milli !== undefined) return 'cannot be sent with pieces';
    if (piece === null) return 'cannot be sent as pieces: what one weighs is unknown';
    return pieces * piece > max ? `must be at most ${shown(max)}` : { pieces, unit };
  }
  if (milli === undefined) return { milli: [1000, per].find(isOrderable) ?? min, unit };
  if (milli < min) return `must be at least ${shown(min)}`;
  if (milli > max) return `must be at most ${shown(max)}`;
  return isOrderable(milli) ? { milli, unit } : `must be a multiple of ${shown(step)}`;
}

import { Refusal } from '../http/refusal.ts';
import { priceStorePart, type StorePart, type StoreTerms } from '../quotes/price-order.ts';

/** The fees and taxes of a store in the mode of a cart, and the least subtotal of an order. */
export type CartTerms = StoreTerms & { orderMinimumCents: number };

/**
 * The price of a cart of this subtotal before a tip, exactly as an order would cost (docs/behaviour.md#money). Undefined
 * where the price is above the maximum of an order.
 */
export function priceCart(terms: CartTerms, subtotalCents: number): StorePart | undefined {
  try {
    return priceStorePart(terms, subtotalCents);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

import { Refusal } from '../http/refusal.ts';
import { priceStorePart, type StorePart, type StoreTerms } from '../quotes/price-order.ts';

/** What a store charges for a cart in the mode that the cart is priced for, and the subtotal it takes orders from. */
export type CartTerms = StoreTerms & { orderMinimumCents: number };

/**
 * What a cart of this subtotal costs before a tip, exactly as an order would (docs/behaviour.md#money). Undefined where
 * it comes to more than an order may.
 */
export function priceCart(terms: CartTerms, subtotalCents: number): StorePart | undefined {
  try {
    return priceStorePart(terms, subtotalCents);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

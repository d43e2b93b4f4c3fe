import { LRUCache } from 'lru-cache';
import type { CatalogProduct } from '../../catalog/product.ts';
import { lastUsed } from '../../lib/last-used.ts';
import type { RecentMethods } from '../../payments/recent-methods.cache.ts';
import type { InputsQuery, OrderInputs, ReadProduct } from '../order-inputs.db.ts';
import type { SeenInputs } from './insert-recalled.db.ts';

/** The weight of a product: an option takes some 300 bytes, and so many characters of its description as much. */
const MAX_WEIGHT = 100_000;
const PRODUCT_WEIGHT = 5;
const CHARACTERS_OF_OPTION = 150;
const MAX_ACCOUNTS = 10_000;

/** The inputs of an order as this node saw them last, and what PostgreSQL must confirm of them. */
export type RecalledInputs = { inputs: OrderInputs; seen: SeenInputs };

/**
 * Inputs of orders that this node has read, or has written itself. An order of such inputs is stored by a statement that
 * stores nothing where an input has changed (ADR 53).
 */
export type RecentInputs = {
  note(query: InputsQuery, inputs: OrderInputs): void;
  /** Undefined where this node has not seen an input, and where stock of a product is counted. */
  recall(query: InputsQuery): RecalledInputs | undefined;
};

export function createRecentInputs(methods: RecentMethods): RecentInputs {
  const products = new LRUCache<string, ReadProduct>({
    maxSize: MAX_WEIGHT,
    sizeCalculation: ({ product }) => weightOf(product),
  });
  const negativeMarkups = new LRUCache<string, boolean>(lastUsed(MAX_ACCOUNTS));
  return {
    note({ caller }, inputs) {
      negativeMarkups.set(caller.accountId, inputs.allowsNegativeMarkup);
      if (inputs.paymentMethod) methods.note(caller, inputs.paymentMethod);
      for (const read of inputs.products) {
        const key = keyOf(read.product);
        if (read.product.qtyAvailable === null) products.set(key, read);
        else products.delete(key);
      }
    },
    recall({ caller, storeId, productNos, paymentMethodId, now }) {
      const allowsNegativeMarkup = negativeMarkups.get(caller.accountId);
      const paymentMethod = paymentMethodId === null ? undefined : methods.find(caller, paymentMethodId);
      const found = productNos.map((productNo) => products.get(keyOf({ storeId, productNo })));
      const read = found.filter((product) => product !== undefined);
      const isWhole = allowsNegativeMarkup !== undefined && paymentMethod && read.length === found.length;
      if (!isWhole) return undefined;
      const inputs = { products: read, paymentMethod, allowsNegativeMarkup, heldBack: undefined };
      return { inputs, seen: { keyId: caller.keyId, allowsNegativeMarkup, products: read, now } };
    },
  };
}

function keyOf({ storeId, productNo }: { storeId: string; productNo: number }): string {
  return `${storeId}/${productNo}`;
}

function weightOf({ optionCount, description }: CatalogProduct): number {
  return PRODUCT_WEIGHT + optionCount + Math.ceil((description?.length ?? 0) / CHARACTERS_OF_OPTION);
}

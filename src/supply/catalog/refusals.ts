import type { CodesOf } from '../../platform/http/refusal.ts';

export const CATALOG_REFUSALS = {
  404: {
    store_not_found: 'No store has this `store_id`.',
    product_not_found: 'No product has ever had this `product_id`.',
    subcategory_not_found: 'The store has no category with this `subcategory_id`.',
  },
  422: { pickup_not_supported: 'The store does not offer pickup.' },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof CATALOG_REFUSALS> {}
}

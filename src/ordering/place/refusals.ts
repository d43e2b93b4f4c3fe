import type { CodesOf } from '../../platform/http/refusal.ts';

export const PLACE_REFUSALS = {
  409: {
    quote_changed: 'The total changed since the quote; `final_quote` is the new one. Finalize again to accept it.',
  },
  503: {
    tax_unavailable:
      'The tax service does not answer, so the order has no total and was not stored; see `Retry-After`.',
  },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof PLACE_REFUSALS> {}
}

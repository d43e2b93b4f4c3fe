import type { CodesOf } from '../../platform/http/refusal.ts';

export const DELIVERY_REFUSALS = {
  422: { id_check_required: 'The order has alcohol, and nobody has confirmed to have seen an ID (`id_checked`).' },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof DELIVERY_REFUSALS> {}
}

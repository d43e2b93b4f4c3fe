import type { CodesOf } from '../../platform/http/refusal.ts';

export const MONEY_REFUSALS = {
  422: {
    refund_not_allowed: 'The order cannot give back this amount or unit; `detail` says why.',
    tip_not_allowed: 'Tips cannot be lowered, and pickups have none.',
  },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof MONEY_REFUSALS> {}
}

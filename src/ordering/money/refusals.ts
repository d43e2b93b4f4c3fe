import type { CodesOf } from '../../platform/http/refusal.ts';

export const MONEY_REFUSALS = {
  409: { preview_outdated: 'The order changed since the preview. Nothing was done; ask for a new preview.' },
  422: {
    refund_not_allowed: 'The order cannot give back this amount or unit; `detail` says why.',
    tip_not_allowed: 'Tips cannot be lowered, and pickups have none.',
  },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof MONEY_REFUSALS> {}
}

import type { CodesOf } from '../../platform/http/refusal.ts';

export const STATEMENT_REFUSALS = {
  409: {
    statement_incomplete:
      'An order of the month is damaged and has no entries yet. The operator finds the reason in the health.',
    month_not_ended: 'The month of these statements still runs at a store, by its clock.',
  },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof STATEMENT_REFUSALS> {}
}

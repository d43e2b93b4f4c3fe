import type { CodesOf } from '../../platform/http/refusal.ts';

export const OPERATOR_REFUSALS = {
  401: { sign_in_refused: "An operator's sign-in link or single sign-on is not valid, or no operator has the email." },
  410: { order_forgotten: 'The personal data of the order is gone: nothing of it is sent again.' },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof OPERATOR_REFUSALS> {}
}

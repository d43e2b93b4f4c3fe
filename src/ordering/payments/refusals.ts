import type { CodesOf } from '../../platform/http/refusal.ts';

export const PAYMENT_REFUSALS = {
  402: {
    payment_declined:
      'The card was declined, or the customer must approve the charge at `authentication_url` and the order be finalized afterward; `decline_code` says why. Nothing is charged or placed.',
  },
  403: { tls_required: 'A card number came with a live key over plain HTTP from another machine.' },
  404: {
    payment_method_not_found:
      'The account has no such payment method, or the card was deleted during the charge of an order or a tip; nothing was charged.',
  },
  422: {
    card_numbers_not_accepted:
      'The service takes no card numbers with live keys: send a `payment_token`, or use `POST /payment/setup`.',
    payment_token_not_accepted: 'The gateway does not know the `payment_token`, or it was used before.',
  },
  429: {
    too_many_declines:
      'The user or card had too many declines within an hour, or the live key looks like card testing; see `Retry-After`.',
  },
  503: { payment_gateway_not_configured: 'The service has no card processor for live keys.' },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof PAYMENT_REFUSALS> {}
}

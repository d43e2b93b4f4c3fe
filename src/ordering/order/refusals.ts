import type { CodesOf } from '../../platform/http/refusal.ts';

export const ORDER_REFUSALS = {
  404: { order_not_found: 'The account has no order with this `order_id`.' },
  409: {
    transition_not_allowed: 'The state of the order or webhook does not allow the request.',
    order_open: 'The user has an order that is under way; the user is forgotten when it has ended.',
  },
  422: {
    quote_unavailable: 'The store cannot take the order; `quote_error` is the reason.',
    product_unavailable: 'Products cannot be ordered; see `invalid_product_ids`.',
    invalid_options: 'Options are missing or impossible; see `invalid_option_ids`.',
    mixed_stores: 'The items belong to more than one store.',
    order_minimum_not_met: 'The subtotal is below the `order_minimum`.',
    slot_unavailable: 'The slot is full, past, not offered, or belongs to another store or mode.',
    wrong_code:
      "The `code` is missing or not the one that the customer's page shows; after five wrong ones only an operator completes the order.",
    payment_method_mismatch: 'The payment method belongs to another `user_id`.',
    markup_not_allowed:
      "The marked prices of a cart total less than the store's prices, and the operator has not allowed that.",
  },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof ORDER_REFUSALS> {}
}

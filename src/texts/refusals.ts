import type { CodesOf, RefusalCode } from '../platform/http/refusal.ts';
import type { Locale } from './catalogs.ts';

/*
 * Refusals of the whole service beside those of any HTTP endpoint (`platform/http/refusal.ts`): status, code, and what
 * it means to clients, for docs/errors.md#refusal-codes; and what pages say of a refused request.
 */

export const SERVICE_REFUSALS = {
  401: {
    missing_api_key: 'The request has no `Id-Token` or `Authorization: Bearer` header.',
    invalid_api_key: 'The key is malformed, unknown or revoked.',
    invalid_access_code: "The console's access code is wrong, used or expired.",
    sign_in_refused: "An operator's sign-in link or single sign-on is not valid, or no operator has the email.",
  },
  402: {
    payment_declined:
      'The card was declined, or the customer must approve the charge at `authentication_url` and the order be finalized afterward; `decline_code` says why. Nothing is charged or placed.',
  },
  403: {
    sandbox_only: 'A live key called a sandbox endpoint.',
    scope_not_allowed: 'The key lacks the scope of this endpoint, which `detail` names.',
    key_is_publishable:
      'A publishable key called an endpoint, or sent a member, that such keys may not; `detail` names it.',
    origin_not_allowed: 'The publishable key does not list the `Origin`; for a preflight, no key does.',
    live_only: 'A sandbox store key, a sandbox console or a one-order link tried to change the store.',
    role_not_allowed:
      "The operator's role does not allow this, or a store's staff did what only its owner may do; `detail` names the role that does.",
    cross_site_request:
      "Another site used a console session or a form of a customer's page: `Origin` must match `BASE_URL` in scheme, host and port. Or `/mcp` of a service on loopback was called by a page of another machine.",
    tls_required: 'A card number came with a live key over plain HTTP from another machine.',
  },
  404: {
    store_not_found: 'No store has this `store_id`.',
    product_not_found: 'No product has ever had this `product_id`.',
    subcategory_not_found: 'The store has no category with this `subcategory_id`.',
    payment_method_not_found:
      'The account has no such payment method, or the card was deleted during the charge of an order or a tip; nothing was charged.',
    order_not_found: 'The account has no order with this `order_id`.',
    webhook_not_found: 'This `webhook_url` is not attached.',
    webhook_call_not_found: 'The account has no webhook call with this `webhook_id`.',
  },
  409: {
    contact_taken: 'The email or phone is of another user, who can sign in with it.',
    idempotency_in_progress: 'Another request with this key, or for this order, is still running; see `Retry-After`.',
    last_admin: 'The only admin cannot be disabled or demoted in the view; the command line can.',
    no_house_account: 'The service has no house account, which orders of stores belong to.',
    promotion_exists: 'Another promotion of the same owner that has not ended has this code.',
    transition_not_allowed: 'The state of the order, promotion or webhook does not allow the request.',
    menu_changed: 'The item, category or sequence has changed since it was read; read it again.',
    order_open: 'The user has an order that is under way; the user is forgotten when it has ended.',
    preview_outdated: 'The order changed since the preview. Nothing was done; ask for a new preview.',
    quote_changed: 'The total changed since the quote; `final_quote` is the new one. Finalize again to accept it.',
    statement_incomplete:
      'An order of the month is damaged and has no entries yet. The operator finds the reason in the health.',
    month_not_ended: 'The month of these statements still runs at a store, by its clock.',
  },
  410: {
    answer_forgotten: 'The request was carried out, and the order of its answer is forgotten.',
    order_forgotten: 'The personal data of the order is gone: nothing of it is sent again.',
  },
  416: {
    range_not_satisfiable: 'Map tiles need one byte range that exists in the file; `Content-Range` has its size.',
  },
  422: {
    idempotency_conflict: 'The `Idempotency-Key` was used with another request.',
    photo_not_accepted:
      'The file is no complete JPEG, PNG or WebP photo, or takes too much work to read; `detail` says why.',
    agreement_required:
      'A store pays a part and has not agreed: name the stores in `stores`, and wait until one accepts.',
    address_not_found:
      "The geocoder knows no such address in the US or Canada, or the match of a live order's address is not as exact as its street.",
    geocoder_not_configured: 'The service looks up no addresses for live keys; send a coordinate.',
    pickup_not_supported: 'The store does not offer pickup.',
    card_numbers_not_accepted:
      'The service takes no card numbers with live keys: send a `payment_token`, or use `POST /payment/setup`.',
    payment_token_not_accepted: 'The gateway does not know the `payment_token`, or it was used before.',
    quote_unavailable: 'The store cannot take the order; `quote_error` is the reason.',
    product_unavailable: 'Products cannot be ordered; see `invalid_product_ids`.',
    invalid_options: 'Options are missing or impossible; see `invalid_option_ids`.',
    mixed_stores: 'The items belong to more than one store.',
    order_minimum_not_met: 'The subtotal is below the `order_minimum`.',
    slot_unavailable: 'The slot is full, past, not offered, or belongs to another store or mode.',
    wrong_code:
      'The PIN (`code`) is missing or incorrect. After five incorrect PINs, only an operator can complete the order.',
    weights_missing: 'Goods by weight were not weighed yet; `detail` names them.',
    payment_method_mismatch: 'The payment method belongs to another `user_id`.',
    markup_not_allowed:
      "The marked prices of a cart total less than the store's prices, and the operator has not allowed that.",
    refund_not_allowed: 'The order cannot give back this amount or unit; `detail` says why.',
    label_mismatch: "The label is of another item of the store's scale.",
    label_price_unknown: 'The label has a price, and the present price of its item is not known: send the weight.',
    weight_below_half: 'The weight is below half of what was ordered: weigh again, or send `accept: true`.',
    weight_above_limit:
      'The weight is above the most that may be charged, `max_weight`; `at_limit` hands all of it over and charges that.',
    tip_not_allowed: 'Tips cannot be lowered, and pickups have none.',
    promotion_not_applied:
      'A code of `promotion_codes` does not apply, so nothing was placed; `rejected_codes` says which and why. Send the order without it, or without `place_order` to see the price.',
    webhook_endpoint_not_allowed: 'The URL is not public `https`, or the account has no webhook.',
    id_check_required: 'The order has alcohol, and nobody has confirmed to have seen an ID (`id_checked`).',
  },
  429: {
    too_many_declines:
      'The user or card had too many declines within an hour, or the live key looks like card testing; see `Retry-After`.',
  },
  503: {
    payment_gateway_not_configured: 'The service has no card processor for live keys.',
    tax_unavailable:
      'The tax service does not answer, so the order has no total and was not stored; see `Retry-After`.',
  },
} as const;

declare module '../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof SERVICE_REFUSALS> {}
}

export type PageRefusal = RefusalCode | 'internal_error';

type RefusalReason = 'busy' | 'unreadable' | 'unavailable';

/** The reason that a page gives for a refusal code. Codes not listed mean that the request is invalid. */
const REASONS: Readonly<Partial<Record<PageRefusal, RefusalReason>>> = {
  rate_limited: 'busy',
  not_ready: 'unavailable',
  upstream_unavailable: 'unavailable',
  tax_unavailable: 'unavailable',
  payment_gateway_not_configured: 'unavailable',
  internal_error: 'unavailable',
};

export const reasonOf = (code: PageRefusal): RefusalReason => REASONS[code] ?? 'unreadable';

export function refusalWords({ words }: Locale, code: PageRefusal): { title: string; detail: string } {
  const { refused } = words.checkout;
  const reason = reasonOf(code);
  return { title: refused[`${reason}Title`], detail: refused[reason] };
}

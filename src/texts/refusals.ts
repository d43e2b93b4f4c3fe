import type { CodesOf, RefusalCode } from '../platform/http/refusal.ts';
import type { Locale } from './catalogs.ts';

/*
 * Errors of the whole service in addition to any HTTP endpoint's (`platform/http/refusal.ts`): status, code, and
 * meaning for clients, for docs/errors.md#refusal-codes; and the texts of error pages.
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
    scope_not_allowed: "The key lacks the endpoint's scope, which `detail` names.",
    key_is_publishable: 'The endpoint or a field is not available to publishable keys. `detail` names it.',
    origin_not_allowed: 'The publishable key does not list the `Origin`. For a preflight, no key does.',
    live_only: 'A sandbox store key, a sandbox console or a one-order link tried to change the store.',
    role_not_allowed:
      "The operator's role doesn't allow this, or only the store's owner can do it. `detail` names the required role.",
    cross_site_request:
      "Another site used a console session or a form on a customer's page: `Origin` must match `BASE_URL` in scheme, host and port. Or a page from another machine called `/mcp` of a service on loopback.",
    tls_required: 'A card number was sent with a live key over plain HTTP from another machine.',
  },
  404: {
    store_not_found: 'No store has this `store_id`.',
    product_not_found: 'No product has ever had this `product_id`.',
    subcategory_not_found: 'The store has no category with this `subcategory_id`.',
    payment_method_not_found:
      'The account has no such payment method, or the card was deleted while an order or a tip was being charged. Nothing was charged.',
    order_not_found: 'The account has no order with this `order_id`.',
    webhook_not_found: 'This `webhook_url` is not attached.',
    webhook_call_not_found: 'The account has no webhook delivery with this `webhook_id`.',
  },
  409: {
    contact_taken: 'The email or phone belongs to another user, who can sign in with it.',
    idempotency_in_progress:
      'Another request with this key, or for this order, is still in progress. See `Retry-After`.',
    last_admin: 'The only admin can be disabled or demoted only on the command line.',
    no_house_account: 'The service lacks a house account, which phone orders entered by stores belong to.',
    promotion_exists: 'Another promotion of the same owner uses this code and has not ended.',
    transition_not_allowed: "The order's, promotion's or webhook's state does not allow the request.",
    menu_changed: 'The item, category or sort order has changed since it was read. Read it again.',
    order_open: 'The user has an order in progress. Erase the data after it has ended.',
    preview_outdated: 'The order changed since the preview. Nothing was done. Request a new preview.',
    quote_changed:
      'The total has changed since the quote. `final_quote` is the new quote. Finalize again to accept it.',
    statement_incomplete:
      "One of the month's orders is damaged and has no entries yet. The health page shows the operator why.",
    month_not_ended: "The month has not ended yet in a store's time zone.",
  },
  410: {
    answer_forgotten: 'The request was completed, but its response is no longer stored.',
    order_forgotten: "The order's personal data was erased, so nothing can be sent again.",
  },
  416: {
    range_not_satisfiable: 'Map tiles require one byte range within the file. `Content-Range` contains its size.',
  },
  422: {
    idempotency_conflict: 'The `Idempotency-Key` was already used with a different request.',
    photo_not_accepted:
      'The file is not a complete JPEG, PNG or WebP photo, or requires too much processing. `detail` says why.',
    agreement_required:
      'A store pays a part and has not agreed. List the stores in `stores`, and wait until one accepts.',
    address_not_found:
      "The geocoder finds no such address in the US or Canada, or locates a live order's address less exactly than its street.",
    geocoder_not_configured: 'The service geocodes no addresses for live keys. Send a coordinate.',
    pickup_not_supported: 'The store does not offer pickup.',
    card_numbers_not_accepted:
      'The service accepts no card numbers with live keys. Send a `payment_token`, or use `POST /payment/setup`.',
    payment_token_not_accepted: 'The gateway does not know the `payment_token`, or it was already used.',
    quote_unavailable: "The store can't take the order. `quote_error` says why.",
    product_unavailable: "Some products can't be ordered. See `invalid_product_ids`.",
    invalid_options: 'Options are missing or invalid. See `invalid_option_ids`.',
    mixed_stores: 'The items belong to more than one store.',
    order_minimum_not_met: 'The subtotal is below the `order_minimum`.',
    slot_unavailable: 'The slot is full, past, not offered, or belongs to another store or fulfillment type.',
    wrong_code:
      'The PIN (`code`) is missing or incorrect. After five incorrect PINs, only an operator can complete the order.',
    weights_missing: 'Some items sold by weight were not weighed yet. `detail` lists them.',
    payment_method_mismatch: 'The payment method belongs to another `user_id`.',
    markup_not_allowed:
      "The cart's marked prices total less than the store's prices, and the operator doesn't allow it.",
    refund_not_allowed: "The order can't be refunded by this amount or unit. `detail` says why.",
    label_mismatch: 'The barcode is for a different item.',
    label_price_unknown: "The label contains a price, but its item's current price is unknown. Send the weight.",
    weight_below_half: 'The weight is below half of the ordered weight. Weigh the item again, or send `accept: true`.',
    weight_above_limit:
      'The weight exceeds `max_weight`, the maximum that can be charged. `at_limit` provides all of it and charges the maximum.',
    tip_not_allowed: "Tips can't be lowered, and pickups have none.",
    promotion_not_applied:
      'A code in `promotion_codes` does not apply, so nothing was placed. `rejected_codes` says which and why. Send the order without it, or without `place_order` to see the price.',
    webhook_endpoint_not_allowed: 'The URL is not public `https`, or the account has no webhook.',
    id_check_required: 'The order contains alcohol, and no ID check was confirmed (`id_checked`).',
  },
  429: {
    too_many_declines:
      'The user or card had too many declines within an hour, or the live key looks like card testing. See `Retry-After`.',
  },
  503: {
    payment_gateway_not_configured: 'The service has no card processor for live keys.',
    tax_unavailable:
      "The tax service does not respond, so the order couldn't be priced and was not stored. See `Retry-After`.",
  },
} as const;

declare module '../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof SERVICE_REFUSALS> {}
}

export type PageRefusal = RefusalCode | 'internal_error';

type RefusalReason = 'busy' | 'unreadable' | 'unavailable';

/** The reason that a page gives for an error code. Codes not listed mean that the request is invalid. */
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

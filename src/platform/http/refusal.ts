/** Location and reason of an invalid input: a member of RFC 9457's `errors` in 400 and 422 answers. */
export type Fault = { in: 'query' | 'body' | 'header' | 'path'; name: string; message: string };

/**
 * What a refusal code means to a client. `retry`: the answer has `Retry-After`, and the same request may succeed then.
 */
export type RefusalRecord = { status: number; retry: boolean; meaning: string };

/** What each refusal code means to a client, by the status of its answer. */
const MEANINGS = {
  400: {
    invalid_request: 'Part of the request is missing or malformed; `errors` names every invalid field.',
  },
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
    live_only: 'A sandbox store key, a sandbox console or a one-order link tried to change the store.',
    scope_not_allowed: 'The key lacks the scope of this endpoint, which `detail` names.',
    role_not_allowed:
      "The operator's role does not allow this, or a store's staff did what only its owner may do; `detail` names the role that does.",
    cross_site_request:
      "Another site used a console session, a form of a customer's page, or `/mcp` from a browser. `Origin` must match `BASE_URL` in scheme, host and port.",
    tls_required: 'A card number came with a live key over plain HTTP from another machine.',
  },
  404: {
    route_not_found: 'No endpoint has this path.',
    store_not_found: 'No store has this `store_id`.',
    product_not_found: 'No product has ever had this `product_id`.',
    subcategory_not_found: 'The store has no category with this `subcategory_id`.',
    order_not_found: 'The account has no order with this `order_id`.',
    payment_method_not_found:
      'The account has no such payment method, or the card was deleted during the charge of an order or a tip; nothing was charged.',
    webhook_not_found: 'This `webhook_url` is not attached.',
    webhook_call_not_found: 'The account has no webhook call with this `webhook_id`.',
    not_found:
      "Operator's view: no account, key, session, merge, import or webhook call has this ID. Store API: the order has no item with this number, or the history no such change. Photos: none has this address.",
  },
  405: {
    method_not_allowed: 'The path takes other methods; see `Allow`.',
  },
  409: {
    preview_outdated: "Operator's view: the order changed since the preview. Nothing was done; ask for a new preview.",
    transition_not_allowed: 'The state of the order or webhook does not allow the request.',
    last_admin: 'The only admin cannot be disabled or demoted in the view; the command line can.',
    statement_incomplete:
      'An order of the month is damaged and has no entries yet. The operator finds the reason in the health.',
    month_not_ended: 'The month of these statements still runs at a store, by its clock.',
    quote_changed: 'The total changed since the quote; `final_quote` is the new one. Finalize again to accept it.',
    menu_changed: 'The item, category or sequence has changed since it was read; read it again.',
    idempotency_in_progress: 'Another request with this key, or for this order, is still running; see `Retry-After`.',
  },
  413: {
    body_too_large: "The body exceeds the endpoint's maximum: 1 MiB at most, 10 MiB for photos.",
  },
  415: {
    unsupported_media_type: 'The body is not plain `application/json` in UTF-8, or not of a type of photos.',
  },
  416: {
    range_not_satisfiable: 'Map tiles need one byte range that exists in the file; `Content-Range` has its size.',
  },
  422: {
    address_not_found:
      "No address in the US or Canada matches, or the match of a live order's address is not as exact as its street.",
    geocoder_not_configured: 'The service looks up no addresses for live keys; send a coordinate.',
    photo_not_accepted:
      'The file is no complete JPEG, PNG, WebP or HEIC photo, or takes too much work to read; `detail` says why.',
    pickup_not_supported: 'The store does not offer pickup.',
    quote_unavailable: 'The store cannot take the order; `quote_error` is the reason.',
    product_unavailable: 'Products cannot be ordered; see `invalid_product_ids`.',
    invalid_options: 'Options are missing or impossible; see `invalid_option_ids`.',
    mixed_stores: 'The items belong to more than one store.',
    order_minimum_not_met: 'The subtotal is below the `order_minimum`.',
    slot_unavailable: 'The slot is full, past, not offered, or belongs to another store or mode.',
    payment_method_mismatch: 'The payment method belongs to another `user_id`.',
    webhook_endpoint_not_allowed: 'The URL is not public `https`, or the account has no webhook.',
    id_check_required: 'The order has alcohol and the driver has not confirmed an ID check.',
    idempotency_conflict: 'The `Idempotency-Key` was used with another request.',
    refund_not_allowed: 'The order cannot give back this amount or unit; `detail` says why.',
    tip_not_allowed: 'Tips cannot be lowered, and pickups have none.',
    card_numbers_not_accepted:
      'The service takes no card numbers with live keys: send a `payment_token`, or use `POST /payment/setup`.',
    payment_token_not_accepted: 'The gateway does not know the `payment_token`, or it was used before.',
    markup_not_allowed:
      "The marked prices of a cart total less than the store's prices, and the operator has not allowed that.",
  },
  429: {
    rate_limited:
      'Too many requests, a used-up daily budget, or too many searches, large bodies, unread responses or streams at once; see `Retry-After`.',
    too_many_declines:
      'The user or card had too many declines within an hour, or the live key looks like card testing; see `Retry-After`.',
  },
  503: {
    not_ready:
      'The service is starting, a newer version has taken over, the database is unavailable or its disk is full, or a limit of the node is reached. Nothing was done, unless the database was lost during the request: repeat it with the same `Idempotency-Key` to find out.',
    upstream_unavailable: 'An outside party does not respond. Send the same request again.',
    payment_gateway_not_configured: 'The service has no card processor for live keys.',
  },
} as const;

type Meanings = typeof MEANINGS;
export type RefusalCode = { [Status in keyof Meanings]: keyof Meanings[Status] }[keyof Meanings];

/** Codes whose answers have `Retry-After`: the same request may succeed then. */
const RETRIED: readonly string[] = [
  'idempotency_in_progress',
  'rate_limited',
  'too_many_declines',
  'not_ready',
] satisfies RefusalCode[];

/**
 * Every refusal code. The API's description and docs/errors.md#refusal-codes are written from these records: `npm run
 * doc-tables`.
 */
export const REFUSALS = Object.fromEntries(
  Object.entries(MEANINGS).flatMap(([status, meanings]) =>
    Object.entries(meanings).map(([code, meaning]): [string, RefusalRecord] => [
      code,
      { status: Number(status), retry: RETRIED.includes(code), meaning },
    ]),
  ),
) as Readonly<Record<RefusalCode, RefusalRecord>>;

/** The answer to an internal error. It is not a refusal, and its cause is only logged. */
export const INTERNAL_ERROR: RefusalRecord = {
  status: 500,
  retry: false,
  meaning: 'Something went wrong on our side; `request_id` helps to find it. The same request may be sent again.',
};

/** Additional members and headers of some codes, such as `decline_code` or `Retry-After`. */
export type RefusalExtras = {
  errors?: readonly Fault[];
  members?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
};

/** Extras of a refusal after which the same request may succeed. */
export const retryAfter = (seconds: number): RefusalExtras => ({ headers: { 'retry-after': String(seconds) } });

/** A rule of the domain refused the request. `detail` is shown to people and must not contain secrets. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly extras: RefusalExtras;

  constructor(code: RefusalCode, detail: string, extras: RefusalExtras = {}) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
    this.extras = extras;
  }
}

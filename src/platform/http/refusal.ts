/** Where in a request a fault lies: RFC 9457 `errors` member of every 400 and 422 answer. */
export type Fault = { in: 'query' | 'body' | 'header' | 'path'; name: string; message: string };

/** Every code of the error table (docs/errors.md#refusal-codes) and the HTTP status it is answered with. */
export const STATUS_OF_CODE = {
  invalid_request: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  invalid_access_code: 401,
  payment_declined: 402,
  sandbox_only: 403,
  live_only: 403,
  cross_site_request: 403,
  tls_required: 403,
  route_not_found: 404,
  store_not_found: 404,
  product_not_found: 404,
  subcategory_not_found: 404,
  order_not_found: 404,
  payment_method_not_found: 404,
  webhook_not_found: 404,
  webhook_call_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  transition_not_allowed: 409,
  quote_changed: 409,
  idempotency_in_progress: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  pickup_not_supported: 422,
  quote_unavailable: 422,
  product_unavailable: 422,
  invalid_options: 422,
  mixed_stores: 422,
  order_minimum_not_met: 422,
  slot_unavailable: 422,
  payment_method_mismatch: 422,
  webhook_endpoint_not_allowed: 422,
  id_check_required: 422,
  idempotency_conflict: 422,
  refund_not_allowed: 422,
  tip_not_allowed: 422,
  card_numbers_not_accepted: 422,
  payment_token_not_accepted: 422,
  markup_not_allowed: 422,
  rate_limited: 429,
  too_many_declines: 429,
  not_ready: 503,
  upstream_unavailable: 503,
  payment_gateway_not_configured: 503,
} as const;

export type RefusalCode = keyof typeof STATUS_OF_CODE;

/** Additional members and headers that some codes carry, such as `decline_code` or `Retry-After`. */
export type RefusalExtras = {
  errors?: readonly Fault[];
  members?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
};

/** The domain says no. `detail` is read by people and must hold nothing secret. */
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

import { type RefusalCode, STATUS_OF_CODE } from '../http/refusal.ts';
import { ProblemSchema } from './problem-schema.ts';

type ProblemCode = RefusalCode | 'internal_error';

/** The meaning of each refusal code for a client. */
const MEANING_OF_CODE: Readonly<Record<ProblemCode, string>> = {
  invalid_request: 'Something is missing or malformed; `errors` names every field that is wrong.',
  missing_api_key: 'The request has no `Id-Token` or `Authorization: Bearer` header.',
  invalid_api_key: 'The key is malformed, unknown or revoked.',
  invalid_access_code: 'The access code is wrong, used or expired.',
  payment_declined:
    'The card was declined, or the customer must approve the charge at `authentication_url` and the order be finalized afterwards; `decline_code` says which. Nothing was charged and nothing is placed.',
  sandbox_only: 'A live key was used; this endpoint is for sandbox keys.',
  live_only: 'A sandbox key or console, or the link of one order, may not change the store.',
  cross_site_request:
    'Another site than the page itself asked for a change: with a console session, by the form of a page, or in a message to `/mcp`.',
  tls_required: 'A card number came over plain HTTP from another machine with a live key; send it over https.',
  route_not_found: 'There is no such endpoint.',
  store_not_found: 'No store has this `store_id`.',
  product_not_found: 'No product has this `product_id`.',
  subcategory_not_found: 'The store has no category with this `subcategory_id`.',
  order_not_found: 'This account has no order with this `order_id`.',
  payment_method_not_found: 'There is no such payment method of this user.',
  webhook_not_found: 'No webhook with this `webhook_url` is attached.',
  webhook_call_not_found: 'This account has no webhook call with this `webhook_id`.',
  not_found: 'No account, key, session, merge, import or webhook call has this id.',
  method_not_allowed: 'The endpoint is asked with another method; `Allow` lists those it answers.',
  transition_not_allowed: 'The state of the order does not allow it.',
  quote_changed: 'The total has changed; `final_quote` is the new one. Finalize again to accept it.',
  idempotency_in_progress: 'The first request with this `Idempotency-Key` is still running; see `Retry-After`.',
  body_too_large: 'The body is larger than 1 MiB.',
  unsupported_media_type: 'The body is not `application/json` in UTF-8, or it is compressed.',
  range_not_satisfiable:
    'The request has no `Range`, or not a single range of bytes that the file has; `Content-Range` tells its size.',
  pickup_not_supported: 'The store does not offer pickup.',
  quote_unavailable: 'The store cannot take the order; `quote_error` is the type of the reason.',
  product_unavailable: 'Sold out, off sale, or outside its menu hours; `invalid_product_ids` lists the products.',
  invalid_options: 'Choices are missing or not possible; `invalid_option_ids` lists the options at fault.',
  mixed_stores: 'The items are of more than one store.',
  order_minimum_not_met: 'The subtotal is under the `order_minimum` of the store.',
  slot_unavailable: 'The window of `scheduled_id` is full, past or not offered.',
  payment_method_mismatch: 'The payment method belongs to another `user_id`.',
  webhook_endpoint_not_allowed: 'The endpoint is not public or not `https`.',
  id_check_required: 'The order has alcohol: the driver must confirm to have seen an ID.',
  idempotency_conflict: 'This `Idempotency-Key` was used with another request.',
  refund_not_allowed: 'The order cannot give this much, or this unit, back: `detail` says why.',
  tip_not_allowed: 'The tip cannot be this: a tip is never lowered, and a pickup has none.',
  card_numbers_not_accepted:
    'This service takes no card numbers with live keys: send a `payment_token`, or use `POST /payment/setup`.',
  payment_token_not_accepted: 'The gateway does not know this `payment_token`, or it was used before.',
  markup_not_allowed:
    'The marked prices are below the prices of the store together, and the operator has not allowed that to the account.',
  rate_limited:
    'Too many requests with this key, from this address without a key, or of this kind; too many large bodies, unread answers or streams at once; or a daily budget of the account is used up (`detail` names the budget). See `Retry-After`.',
  too_many_declines:
    'This user, this card or this key had too many declined cards within an hour: nothing was charged; see `Retry-After`.',
  internal_error:
    'Something went wrong on our side; `request_id` helps to find it. The same request may be sent again.',
  not_ready: 'The service is starting, or its database does not answer; nothing was done. See `Retry-After`.',
  upstream_unavailable: 'A party that the service depends on does not answer; send the same request again.',
  payment_gateway_not_configured: 'This service has no payment gateway for live keys.',
};

const TITLE_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'There is no valid key.',
  402: 'The payment was declined.',
  403: 'The key may not do this.',
  404: 'There is no such thing.',
  405: 'The method is not answered here.',
  409: 'The state does not allow it.',
  413: 'The body is too large.',
  415: 'The body is of a type that is not read.',
  416: 'The range of bytes is not one that can be sent.',
  422: 'The request is understood, and cannot be done.',
  429: 'Too many requests.',
  500: 'The service failed.',
  503: 'The service cannot do it at the moment.',
};

const COME_AGAIN: readonly ProblemCode[] = [
  'rate_limited',
  'too_many_declines',
  'not_ready',
  'idempotency_in_progress',
];
const RETRY_AFTER = { type: 'integer', description: 'Seconds to wait before the request is sent again.' };
const CHALLENGE = { type: 'string', description: 'Names the header that carries the key.' };

/** The answers of an endpoint that are refusals, by status: the codes that each can have, with their meaning. */
export function refusalAnswers(codes: readonly ProblemCode[]): Record<number, object> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of Object.keys(MEANING_OF_CODE) as ProblemCode[]) {
    if (!codes.includes(code)) continue;
    const status = code === 'internal_error' ? 500 : STATUS_OF_CODE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, answerOf(status, some)]));
}

function answerOf(status: number, codes: readonly ProblemCode[]): object {
  const meanings = codes.map((code) => `- \`${code}\`: ${MEANING_OF_CODE[code]}`);
  const headers = {
    ...(codes.some((code) => COME_AGAIN.includes(code)) ? { 'Retry-After': RETRY_AFTER } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': CHALLENGE } : {}),
  };
  const schema = { allOf: [ProblemSchema, { properties: { code: { enum: codes } } }] };
  return {
    description: [TITLE_OF_STATUS[status], ...meanings].join('\n'),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: { 'application/problem+json': { schema } },
  };
}

import { type Fault, Refusal, type RefusalCode } from '../../platform/http/refusal.ts';
import { clip, type ToolData, takeFitting } from './tool.ts';

/** Maximum bytes of validation errors, and of suggested ids, per response. */
const MAX_FAULTS_BYTES = 3 * 1024;
const MAX_IDS_BYTES = 1024;
const MAX_MESSAGE = 300;
const MAX_ID = 120;

/** Advice to a model after an error; absent if the message already includes it. */
const ADVICE: Partial<Record<RefusalCode, string>> = {
  invalid_request: 'Correct every argument listed in `faults`, and call the tool again.',
  store_not_found: 'Use a store_id from search_stores or search_products.',
  product_not_found: 'Use a product_id from get_menu or search_products.',
  subcategory_not_found: 'Call get_menu without category_id, and use a category_id from its result.',
  order_not_found: 'Use an order_id that quote_order returned for this API key.',
  pickup_not_supported: 'Call with pickup false, or choose another store.',
  quote_unavailable: 'Call get_store for the times and slots when the store takes orders, or choose another store.',
  product_unavailable: 'Leave these products out, or find others with get_menu or search_products.',
  invalid_options:
    "Correct selected_options according to `choices`, and call quote_order again. get_product lists all of a product's choices.",
  mixed_stores: 'Quote one order for each store.',
  order_minimum_not_met: 'Add items, or choose another store.',
  slot_unavailable:
    'Call get_store for the available slots. Without scheduled_id, the order is for as soon as possible, if the store takes orders now.',
  payment_method_not_found: 'Ask for a payment_method_id of this user_id.',
  payment_method_mismatch: 'Use the user_id that the payment method was created with.',
  payment_declined:
    "Nothing was charged. If there's an authentication_url, ask the customer to open that page, then call place_order again. Otherwise, quote again with another payment_method_id.",
  quote_changed:
    'No order was placed. Show the customer this quote. place_order with its total as expected_total_cents accepts it.',
  promotion_not_applied: 'Quote again without the codes that do not apply.',
  transition_not_allowed: "Call get_order for the order's current state.",
  rate_limited: 'Wait retry_after_seconds, then call again.',
  not_ready: 'Wait a second, then call again.',
  upstream_unavailable: 'Call again later. Nothing was done twice.',
  tax_unavailable: 'Wait retry_after_seconds, then call again. Nothing was stored.',
};

/** Members of an error that are copied to the response. */
const COPIED_MEMBERS = ['decline_code', 'authentication_url', 'quote_error', 'order_id'] as const;

/**
 * Returns an error as data for a model: code, sentence, errors by argument, and the next step. A list of errors that
 * is too long ends with the number of omitted ones.
 */
export function refusedAnswer({ code, message, extras }: Refusal, more: ToolData): ToolData {
  const { errors = [], members = {}, headers = {} } = extras;
  const faults = errors.map(({ name, message: why }: Fault) => ({
    at: clip(name, 120),
    message: clip(why, MAX_MESSAGE),
  }));
  const shown = takeFitting(faults, MAX_FAULTS_BYTES);
  const left = faults.length - shown.length;
  return {
    code,
    detail: clip(message, MAX_MESSAGE),
    ...(shown.length > 0 ? { faults: shown } : {}),
    ...(left > 0 ? { faults_not_shown: left } : {}),
    ...clippedIds(members, 'invalid_product_ids'),
    ...clippedIds(members, 'invalid_option_ids'),
    ...Object.fromEntries(COPIED_MEMBERS.flatMap((name) => (name in members ? [[name, members[name]]] : []))),
    ...more,
    ...('retry-after' in headers ? { retry_after_seconds: Number(headers['retry-after']) } : {}),
    ...(ADVICE[code] === undefined ? {} : { what_to_do: ADVICE[code] }),
  };
}

/** Returns the short form of an error whose full answer would be too large. */
export function shortAnswer({ code }: Refusal): ToolData {
  return { code, ...(ADVICE[code] === undefined ? {} : { what_to_do: ADVICE[code] }) };
}

function clippedIds(members: Readonly<Record<string, unknown>>, name: string): ToolData {
  const ids = members[name];
  if (!Array.isArray(ids) || ids.length === 0) return {};
  const shown = ids.map((id) => clip(String(id), MAX_ID));
  return { [name]: takeFitting(shown, MAX_IDS_BYTES) };
}

/** Returns the response to an internal error, without details. */
export function brokenAnswer(requestId: string): ToolData {
  return {
    code: 'internal_error',
    detail: 'Something went wrong on our side. Report the request ID.',
    request_id: requestId,
    what_to_do: 'Call get_order before placing or canceling the same order again. Any other call can be repeated.',
  };
}

/** An error's member that only tools show. */
const EXPLANATION = 'explanation';

/** Adds members to an error that help a model correct its call. */
export function withExplanation(refusal: Refusal, explanation: ToolData): Refusal {
  const { extras } = refusal;
  return new Refusal(refusal.code, refusal.message, {
    ...extras,
    members: { ...extras.members, [EXPLANATION]: explanation },
  });
}

export const readExplanation = ({ extras }: Refusal): ToolData => (extras.members?.[EXPLANATION] ?? {}) as ToolData;

import { type Fault, Refusal, type RefusalCode, STATUS_OF_CODE } from '../lib/errors.ts';
import type { QuoteErrorType } from '../quotes/quote-error.ts';

/** One thing that is wrong with an order, and the ids that answers list beside it. */
export type OrderFault = {
  code: RefusalCode;
  name: string;
  message: string;
  productIds?: readonly string[];
  optionIds?: readonly string[];
  quoteError?: QuoteErrorType;
};

/** An item whose `product_id` is none of ours. */
export function unknownProduct(productId: string, index: number): OrderFault {
  const message = 'There is no such product.';
  return { code: 'product_not_found', name: `items[${index}].product_id`, message, productIds: [productId] };
}

const TABLE_ORDER = Object.keys(STATUS_OF_CODE) as RefusalCode[];

/**
 * One refusal of all faults: `errors` lists every one, the first in the order of the error table gives the code.
 * `invalid_option_ids` is there whenever options are at fault, and empty where choices are only missing.
 */
export function refusalOfFaults(faults: readonly OrderFault[]): Refusal {
  const rank = ({ code }: OrderFault) => TABLE_ORDER.indexOf(code);
  const sorted = [...faults].sort((a, b) => rank(a) - rank(b));
  const [first] = sorted;
  const errors: Fault[] = sorted.map(({ name, message }) => ({ in: 'body', name, message }));
  const has = (code: RefusalCode) => sorted.some((fault) => fault.code === code);
  const productIds = sorted.flatMap((fault) => fault.productIds ?? []);
  const optionIds = sorted.flatMap((fault) => fault.optionIds ?? []);
  const members = {
    ...(productIds.length > 0 || has('product_unavailable') ? { invalid_product_ids: [...new Set(productIds)] } : {}),
    ...(has('invalid_options') ? { invalid_option_ids: [...new Set(optionIds)] } : {}),
    ...(first?.quoteError ? { quote_error: first.quoteError } : {}),
  };
  const sentence = `${first?.message ?? 'The order is not valid.'}${othersIn(sorted.length - 1)}`;
  return new Refusal(first?.code ?? 'invalid_request', sentence, { errors, members });
}

function othersIn(count: number): string {
  if (count < 1) return '';
  return count === 1
    ? ' There is 1 more fault, listed in errors.'
    : ` There are ${count} more faults, listed in errors.`;
}

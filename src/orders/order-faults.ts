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

const TABLE_ORDER = Object.keys(STATUS_OF_CODE) as RefusalCode[];

/** One refusal of all faults: `errors` lists every one, the first in the order of the error table gives the code. */
export function refusalOfFaults(faults: readonly OrderFault[]): Refusal {
  const rank = ({ code }: OrderFault) => TABLE_ORDER.indexOf(code);
  const sorted = [...faults].sort((a, b) => rank(a) - rank(b));
  const [first] = sorted;
  const errors: Fault[] = sorted.map(({ name, message }) => ({ in: 'body', name, message }));
  const members = {
    ...idsMember(
      'invalid_product_ids',
      sorted.flatMap((fault) => fault.productIds ?? []),
    ),
    ...idsMember(
      'invalid_option_ids',
      sorted.flatMap((fault) => fault.optionIds ?? []),
    ),
    ...(first?.quoteError ? { quote_error: first.quoteError } : {}),
  };
  const others = sorted.length > 1 ? ` There are ${sorted.length - 1} more faults, listed in errors.` : '';
  return new Refusal(first?.code ?? 'invalid_request', `${first?.message ?? 'The order is not valid.'}${others}`, {
    errors,
    members,
  });
}

function idsMember(name: string, ids: readonly string[]): Record<string, readonly string[]> {
  return ids.length > 0 ? { [name]: [...new Set(ids)] } : {};
}

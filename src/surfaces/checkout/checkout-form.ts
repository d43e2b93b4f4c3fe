import { type Static, Type } from 'typebox';
import { centsIn, readAmount } from '../../ordering/money/offered-tips.ts';
import { maxTypedTipCents } from '../../ordering/money/tip.ts';
import { minAgeOf } from '../../ordering/order/alcohol.ts';
import {
  type Customer,
  ENTERED_FIELDS,
  type EnteredField,
  type Order,
  type OrderRequest,
} from '../../ordering/order/order.ts';
import { optionalText } from '../../platform/http/api-components.ts';
import { isEmail } from '../../platform/http/request-schema.ts';
import { readPhone } from '../../platform/lib/phone.ts';
import { isCode, readCode } from '../../supply/promotions/promotion-code.ts';

/* The form of the checkout, and the order request that results from it. */

/** Every button submits the whole form, so that no input is lost. */
export const CheckoutForm = Type.Object({
  action: optionalText(
    40,
    '`place`, `wallet` (places with `payment_token`), `card` (to the card page), `tip-` with cents, `tip-amount`, `code`, `remove-` with a code, or `update`.',
  ),
  total: optionalText(16, 'The total in cents that the customer saw. No other total is charged.'),
  cart: optionalText(
    16,
    "When the cart that the customer saw was stored. A later cart is shown again before it's placed.",
  ),
  name: optionalText(200, 'Present if the order lacks it.'),
  email: optionalText(254, 'Present if the order lacks it.'),
  phone: optionalText(40, 'Present if the order lacks it.'),
  tip_amount: optionalText(16, 'With `tip-amount`: such as 5.00.'),
  code: optionalText(40, 'A promotion code to add.'),
  payment_token: optionalText(255, 'With `wallet`: of the wallet that pays.'),
  card: optionalText(64, "A signed-in customer's saved card."),
  of_age: optionalText(3, 'With alcohol in the cart: `yes` says that the customer is old enough to have it.'),
});
export type CheckoutForm = Static<typeof CheckoutForm>;

export type FormField = EnteredField | 'tip_amount' | 'code' | 'of_age';

/** The order request with the customer's entries, and the missing or invalid fields. */
export type FilledForm = { request: OrderRequest; faulty: readonly FormField[] };

/** The cart version that a page shows, which only the client changes; the customer's entries do not. */
export function cartVersion({ checkoutUntil }: Pick<Order, 'checkoutUntil'>): string {
  return String(checkoutUntil?.epochMilliseconds);
}

/** The fields that the customer fills in, because the client left them empty. */
export function fieldsToEnter({ customer, placedBy, enteredOnCheckout = [] }: OrderRequest): EnteredField[] {
  const fields = ENTERED_FIELDS.filter((name) => name !== 'email' || placedBy === undefined);
  return fields.filter((name) => !customer[name] || enteredOnCheckout.includes(name));
}

/** Reads a form. Wrong fields keep their value in the request; empty ones are wrong only if the action needs them. */
export function readCheckoutForm({ request, quote }: Pick<Order, 'request' | 'quote'>, form: CheckoutForm): FilledForm {
  const { action = '' } = form;
  const isPaying = action === 'place' || action === 'card' || (action === 'wallet' && Boolean(form.payment_token));
  const toEnter = fieldsToEnter(request);
  const faulty: FormField[] = [];
  const entered: Partial<Customer> = {};
  for (const name of toEnter) {
    const text = form[name]?.trim() ?? '';
    Object.assign(entered, readEntry(name, text));
    if (entered[name] !== undefined) continue;
    if (text !== '' || isPaying) faulty.push(name);
  }
  const tipCents = tipOfForm(form, request, maxTypedTipCents(quote));
  if (tipCents === undefined) faulty.push('tip_amount');
  const promotionCodes = codesOfForm(form, request);
  if (promotionCodes === 'wrong') faulty.push('code');
  const enteredOnCheckout = ENTERED_FIELDS.filter(
    (name) => entered[name] !== undefined || request.enteredOnCheckout?.includes(name),
  );
  return {
    request: {
      ...request,
      customer: { ...request.customer, ...entered },
      tipCents: tipCents ?? request.tipCents,
      // A card that is entered next, or cash, takes the place of a saved one.
      ...(request.payerId !== undefined && (action === 'card' || action === 'cash') && { paymentMethodId: null }),
      ...(enteredOnCheckout.length > 0 ? { enteredOnCheckout } : {}),
      ...(promotionCodes === 'wrong' || (promotionCodes.length === 0 && !request.promotionCodes)
        ? {}
        : { promotionCodes }),
    },
    faulty: [...faulty, ...ageFault({ quote }, form)],
  };
}

function readEntry(name: EnteredField, text: string): Partial<Customer> | undefined {
  if (name !== 'phone') return text !== '' && (name === 'name' || isEmail(text)) ? { [name]: text } : undefined;
  const phone = readPhone(text);
  return phone && { phone: phone.number, phoneExtension: phone.extension };
}

/** A cart with alcohol is placed by a customer who says to be old enough. */
function ageFault({ quote }: Pick<Order, 'quote'>, { action, of_age: isOfAge }: CheckoutForm): FormField[] {
  const isDue =
    (action === 'place' || action === 'wallet') && isOfAge !== 'yes' && minAgeOf({ quote, adjustments: [] }) !== null;
  return isDue ? ['of_age'] : [];
}

/** The tip set by the form, in cents; undefined for an invalid amount. A pickup has no tip. */
function tipOfForm({ action = '', tip_amount: amount = '' }: CheckoutForm, request: OrderRequest, maxCents: number) {
  if (request.mode === 'pickup') return request.tipCents;
  const cents = action === 'tip-amount' ? readAmount(amount) : centsIn(/^tip-(\d{1,8})$/.exec(action)?.[1]);
  if (cents === undefined) return action === 'tip-amount' ? undefined : request.tipCents;
  return cents <= maxCents ? cents : undefined;
}

const MAX_CODES = 10;
const REMOVES = 'remove-';

/** The order's codes with the typed one (for any button), or without a removed one. */
function codesOfForm({ action = '', code = '' }: CheckoutForm, { promotionCodes = [] }: OrderRequest) {
  const typed = readCode(code);
  const kept = promotionCodes.filter((one) => one !== typed && REMOVES + one !== action);
  if (typed === '') return kept;
  return isCode(typed) && kept.length < MAX_CODES ? [...kept, typed] : 'wrong';
}

import type { KeyCaller } from '../../access/accounts/account.ts';
import { refuseMembers, takesOrigin } from '../../access/accounts/publishable-key.ts';
import { CART_MEMBERS, type OrderBody } from './order-body.ts';

/*
 * What visitors of a page, which sends a publishable key, may do with orders: store one unplaced for the hosted
 * checkout, and read or replace one whose key they have (docs/requests.md#publishable-keys).
 */

/** Members of an order that a visitor may send. */
const VISITOR_MEMBERS: ReadonlySet<string> = new Set<keyof OrderBody>([
  ...CART_MEMBERS,
  'order_id',
  'order_key',
  'user_time_zone',
  'include_final_quote',
  'enable_substitution',
]);

/** Refuses with key_is_publishable what a visitor may not send. `siteUrl` is the account's own site. */
export function refuseToVisitor(caller: KeyCaller, body: OrderBody, siteUrl: string): void {
  const members = Object.keys(body).filter((name) => {
    if (name === 'place_order') return body.place_order === true;
    if (name === 'checkout_return_url') return !isPageOf(caller, body.checkout_return_url ?? '', siteUrl);
    return !VISITOR_MEMBERS.has(name);
  });
  const marked = body.items.flatMap(({ product_marked_price: price, selected_options: options = [] }, nth) => [
    ...(price === undefined ? [] : [`items[${nth}].product_marked_price`]),
    ...options.flatMap(({ marked_price: ofOption }, index) =>
      ofOption === undefined ? [] : [`items[${nth}].selected_options[${index}].marked_price`],
    ),
  ]);
  refuseMembers([...members, ...marked]);
}

function isPageOf(caller: KeyCaller, returnUrl: string, siteUrl: string): boolean {
  const url = URL.parse(returnUrl);
  return url !== null && takesOrigin(caller, url.origin, siteUrl);
}

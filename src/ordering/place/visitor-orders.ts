import type { KeyCaller } from '../../access/accounts/account.ts';
import { refuseMembers, takesOrigin } from '../../access/accounts/publishable-key.ts';
import { isJsonObject, listIn, memberOf } from '../../platform/lib/json-object.ts';
import { CART_MEMBERS, OrderBody } from './order-body.ts';

/**
 * Visitors of a page with a publishable key may store an unplaced order for the hosted checkout, and may read or
 * replace it with the order's own key (docs/requests.md#publishable-keys).
 */

/** Fields of an order that a visitor may send. */
const VISITOR_MEMBERS: ReadonlySet<string> = new Set<keyof OrderBody>([
  ...CART_MEMBERS,
  'order_id',
  'order_key',
  'user_time_zone',
  'include_final_quote',
  'enable_substitution',
]);

/**
 * Refuses forbidden fields of a visitor with key_is_publishable. It runs before the body is validated: an error would
 * ask for members that the visitor may not send either. `siteUrl` is the account's own site.
 */
export function refuseToVisitor(caller: KeyCaller, body: unknown, siteUrl: string): void {
  if (!isJsonObject(body)) return;
  const members = Object.keys(OrderBody.properties).filter((name) => {
    const value = memberOf(body, name) ?? undefined;
    if (value === undefined || VISITOR_MEMBERS.has(name)) return false;
    if (name === 'place_order') return value === true;
    return name !== 'checkout_return_url' || !isPageOf(caller, value, siteUrl);
  });
  const marked = listIn(body, 'items').flatMap((item, nth) => [
    ...markedIn(item, 'product_marked_price', `items[${nth}]`),
    ...(isJsonObject(item) ? listIn(item, 'selected_options') : []).flatMap((option, index) =>
      markedIn(option, 'marked_price', `items[${nth}].selected_options[${index}]`),
    ),
  ]);
  refuseMembers([...members, ...marked]);
}

const markedIn = (value: unknown, name: string, path: string) =>
  isJsonObject(value) && (memberOf(value, name) ?? null) !== null ? [`${path}.${name}`] : [];

function isPageOf(caller: KeyCaller, returnUrl: unknown, siteUrl: string): boolean {
  const url = typeof returnUrl === 'string' ? URL.parse(returnUrl) : null;
  return url !== null && takesOrigin(caller, url.origin, siteUrl);
}

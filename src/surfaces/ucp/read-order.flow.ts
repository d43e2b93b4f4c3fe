import { Type } from 'typebox';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { challenge, requireScope } from '../../access/customers/authenticate-customer.hook.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { findOrder } from '../../ordering/order/orders.db.ts';
import { orderLocale } from '../../ordering/order/wording.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { READ_ONLY } from '../agents/tool.ts';
import { type Call, idOf, type Operation } from './admit-platform.flow.ts';
import { findCheckoutOfOrder } from './checkouts.db.ts';
import { ORDER_ANSWER } from './contract.ts';
import { presentOrder } from './present-order.ts';
import { PATH, SHOP_ORDER } from './profile.ts';
import { notFound, shoppingOf } from './search-catalog.flow.ts';

type Deps = Pick<OrderDeps, 'db' | 'clock' | 'trackingSites'>;

/** How long a placed order is shown to programs, in months. */
const SHOWN_MONTHS = 12;

export const ORDER_OPERATIONS: readonly Operation<Deps>[] = [
  {
    capability: SHOP_ORDER,
    method: 'GET',
    paths: ['/orders/:id'],
    tool: 'get_order',
    title: 'Read an order',
    description: 'A placed order as it is now. Needs a token of the customer with order:read.',
    hints: READ_ONLY,
    output: ORDER_ANSWER,
    input: Type.Object({ id: Type.String({ maxLength: 64, description: "The order's ID." }) }),
    run: (deps, call) => readOrder(deps, call),
  },
];

/** An order of the token's customer, or an order that the bound platform placed. */
async function readOrder({ db, clock, trackingSites }: Deps, call: Call): Promise<object> {
  const { bound, customer, profileUrl, isProven } = call.admitted;
  const shopping = shoppingOf(call);
  const { accountId, mode } = shopping.hosted.shop;
  const site = { accountId, mode, host: '', issuer: shopping.siteUrl };
  if (customer) requireScope(site, PATH, customer.bearer, 'order:read');
  else if (!bound) {
    throw new Refusal('identity_required', 'Sign in to see your orders.', challenge(site, PATH));
  }
  const id = idOf(call);
  const caller = { accountId, mode, keyId: '', ...(customer?.userId ? { userId: customer.userId } : {}) };
  const [order, checkout] = await Promise.all([findOrder(db, caller, id), findCheckoutOfOrder(db, id)]);
  const isItsOwn = isProven && checkout?.profileUrl === profileUrl;
  const since = clock.now().toZonedDateTimeISO('UTC').subtract({ months: SHOWN_MONTHS }).toInstant();
  const isShown = order?.placedAt && Temporal.Instant.compare(order.placedAt, since) >= 0;
  if (!order || !isShown || (!customer && !isItsOwn)) {
    return notFound(shopping, localeOf(shopping.language, 'US').words.agent.order.unknown);
  }
  const [events, { customerCancel, language }] = await Promise.all([listEvents(db, id), findBranding(db, accountId)]);
  const isNamed = call.asking.isLanguageGiven;
  const locale = isNamed ? localeOf(shopping.language, order.quote.store.country) : orderLocale(order, { language });
  // Only the platform that prepared an order, and proves it, gets the link that changes it.
  const found = trackingSites.siteOf(accountId);
  const orderSite = isItsOwn ? found : { siteUrl: found.siteUrl };
  return presentOrder({ order, events, checkout, site: orderSite, customerCancel: customerCancel && isItsOwn, locale });
}

import { type Static, Type } from 'typebox';
import { displayNameOf } from '../../access/accounts/branding.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { asStoreSees } from '../../fulfillment/store-channels/present-store-order.ts';
import { findLinkedOrder } from '../../fulfillment/store-channels/store-notices.db.ts';
import { ticketPage } from '../../fulfillment/tickets/ticket.page.ts';
import { listRefunds } from '../../ordering/money/refunds.db.ts';
import type { Order } from '../../ordering/order/order.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { findOrderTaxIds } from '../../ordering/statements/store-terms.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { findStorePreferences } from '../../supply/stores/set-store.db.ts';
import { CONSOLE_HEADERS, ticketSecurity } from './console.page.ts';
import { requireSeen } from './present-for-store.ts';

const Query = Type.Object({
  document: Type.Enum(['kitchen', 'receipt'], { description: 'The kitchen ticket, or the receipt for the customer.' }),
});
const response = { 200: contentAnswer("The ticket, for the browser's printer.", ['text/html']) };
const schema = {
  operationId: 'readTicket',
  summary: "Open an order's ticket as an 80 mm page",
  description: 'The kitchen ticket, or the receipt for the customer.',
  example: { query: { document: 'kitchen' } },
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of the store.' }) }),
  querystring: Query,
  response,
};
const linkedSchema = {
  operationId: 'readLinkedTicket',
  summary: "Open the ticket of a link's order",
  description: 'Shows the kitchen ticket, or the receipt for the customer. The link authorizes the request.',
  example: { query: { document: 'kitchen' } },
  params: Type.Object({
    link: Type.String({ maxLength: 200, description: 'The token from an email or text message to the store.' }),
  }),
  querystring: Query,
  response,
};

type TicketDeps = { config: Config; db: Db; clock: Clock };

/** GET /console/orders/{order_id}/ticket, and GET /console/order/{link}/ticket without sign-in. */
export function ticketRoutes(http: Http, deps: TicketDeps): void {
  const security = ticketSecurity(deps.config.baseUrl);
  const refuses = ['order_not_found'] as const;
  http.get(
    '/console/orders/:order_id/ticket',
    { schema, config: { audience: 'store', refuses }, security },
    async ({ merchant, params, query }, reply) => {
      const order = requireSeen(merchant, await findAnyOrder(deps.db, params.order_id), deps.clock.now());
      reply.headers(CONSOLE_HEADERS).type('text/html; charset=utf-8');
      return loadTicket(deps, order, query);
    },
  );
  http.get(
    '/console/order/:link/ticket',
    { schema: linkedSchema, config: { public: true, refuses: [...refuses, 'not_ready'] }, security },
    async ({ params, query }, reply) => {
      const order = await findLinkedOrder(deps.db, params.link);
      if (!order) throw orderNotFound();
      reply.headers(CONSOLE_HEADERS).type('text/html; charset=utf-8');
      return loadTicket(deps, order, query);
    },
  );
}

async function loadTicket({ db, clock, config }: TicketDeps, order: Order, { document }: Static<typeof Query>) {
  const branding = await findBranding(db, order.accountId);
  const brand = { brandName: displayNameOf(branding), customerLanguage: branding.language };
  const language = (await findStorePreferences(db, order.storeId)).language;
  const refunds = await listRefunds(db, order);
  const now = clock.now();
  const taxIds = await findOrderTaxIds(db, order, config.taxIds);
  const content = { copy: 0, mayBeRepeated: false, ...brand, language, now, refunds, taxIds };
  return ticketPage(document, asStoreSees(order, now), content);
}

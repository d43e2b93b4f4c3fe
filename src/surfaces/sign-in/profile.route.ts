import { Type } from 'typebox';
import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { ORDER_STATUSES, type Order } from '../../ordering/order/order.ts';
import { listOrders } from '../../ordering/order/orders.db.ts';
import { deletePaymentMethod } from '../../ordering/payments/delete-card.flow.ts';
import { listPaymentMethods } from '../../ordering/payments/payment-methods.db.ts';
import { emptyAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { deleteAddress, listSavedAddresses } from '../../supply/addresses/saved-addresses.db.ts';
import { profilePage } from './profile.page.ts';
import { findPendingCode } from './sign-in-code.flow.ts';
import { type SignInDeps, showStep, signInForm } from './sign-in-form.route.ts';

const MAX_CARDS = 10;
const MAX_ORDERS = 20;
const PLACED = ORDER_STATUSES.filter((status) => status !== 'unplaced');
const LINK = /^[\w.~-]{1,300}$/;

type Deps = SignInDeps & { trackingSites: Pick<TrackingSites, 'siteOf'> };

/** GET and POST /profile: where a customer signs in to the shop, and the data kept for the next order. */
export function profileRoutes(http: Http, deps: Deps): void {
  const { db } = deps;
  signInForm(http, deps, {
    path: '/profile',
    query: {
      checkout: Type.Optional(Type.String({ maxLength: 300, description: 'The token of a checkout to return to.' })),
    },
    answers: { 303: emptyAnswer('Signed in. Redirects to the checkout.', { Location: { type: 'string' } }) },
    shows: {
      operationId: 'readProfile',
      summary: "Open a signed-in customer's page",
      description: 'Shows contacts, addresses, cards and orders. A browser without a session signs in first.',
    },
    takes: {
      operationId: 'submitProfileForm',
      summary: 'Submit a sign-in step, or remove an item',
      description: "The page's forms send this request. Entering a code in a session adds its contact to the customer.",
      example: { body: { csrf: '{csrf}', step: 'remove_address', address: '1 Main St, Chicago, IL 60601' } },
      next: 'Redirects to the page.',
    },
    prepare: async (_site, { checkout = '' }) => ({
      targets: [],
      checkout: LINK.test(checkout) ? checkout : undefined,
    }),
    async show(visit) {
      const { page, customer, prepared, site, browser } = visit;
      if (prepared.checkout !== undefined) return { location: `/checkout/${prepared.checkout}` };
      if (await findPendingCode(deps, site, browser)) return showStep(deps, visit, '');
      const { userId, accountId } = customer;
      const [addresses, cards, orders] = await Promise.all([
        listSavedAddresses(db, customer),
        listPaymentMethods(db, customer, userId, MAX_CARDS),
        listOrders(db, { ...customer, keyId: '' }, { statuses: PLACED }, { from: 0, limit: MAX_ORDERS }),
      ]);
      const linkOf = ({ orderId }: Order) => trackingLinkOf(deps.trackingSites.siteOf(accountId), orderId);
      return { html: profilePage(page, { customer, addresses, cards, orders, linkOf, now: deps.clock.now() }) };
    },
    async take({ customer, address: location }, { step, card = '', address = '' }) {
      if (step === 'remove_address') await deleteAddress(db, customer, address);
      if (step === 'remove_card') {
        await deletePaymentMethod(deps, customer, { userId: customer.userId, paymentMethodId: card });
      }
      return { location };
    },
  });
}

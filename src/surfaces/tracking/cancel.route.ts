import { takeStep } from '../../ordering/money/take-step.flow.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { pageOrProblem } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { prefersJson } from '../../platform/http/prefers-json.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { type OrderVisit, orderForm, toOrder } from './order-form.route.ts';
import type { TrackingDeps } from './site-page.hook.ts';
import { isCancelable, type TrackedOrder } from './tracked-order.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';
import { askCancelPage, cannotCancelPage } from './tracking.page.ts';

type CancelPageDeps = Pick<OrderDeps, 'inventory'> & TrackingDeps;

/** GET and POST {tracking_url}/tracking/cancel: a customer cancels the order with the key of the link. */
export function cancelRoutes(http: Http, deps: CancelPageDeps): void {
  const refused = ({ frame, tracked, accept }: OrderVisit) => {
    if (prefersJson(accept)) throw new Refusal('transition_not_allowed', "This order can't be canceled here.");
    return { status: 409, html: cannotCancelPage(frame, tracked, deps.clock.now()) };
  };
  orderForm(http, deps, {
    name: 'cancel',
    refuses: ['transition_not_allowed'],
    crossSite: 'An order can only be canceled from its own page.',
    cannot: pageOrProblem('The order cannot be canceled here'),
    shows: {
      operationId: 'readCancelPage',
      summary: 'Open the page for canceling an order',
      description:
        "For accounts that allow customers to cancel. Requires the link's `key`. The page shows the refund, and nothing changes until its form is submitted.",
    },
    takes: {
      operationId: 'submitCancelPage',
      summary: 'Cancel and refund an order from its page',
      description:
        "The page's form sends this request. The full remaining charge is refunded to the card. An order that can no longer be canceled stays unchanged.",
    },
    show(page) {
      const { frame, tracked, visit } = page;
      if (visit.key === null || !isCancelable(tracked)) return refused(page);
      return { html: askCancelPage(frame, tracked, visit) };
    },
    async take(page) {
      const isCanceled = page.visit.key !== null && (await cancelForCustomer(deps, page.tracked));
      return isCanceled ? toOrder(page) : refused(page);
    },
  });
}

/**
 * Cancels an order for its customer, whose key the caller has checked. The step is the same as a store's cancelation,
 * and serialized with a concurrent pickup. Returns true if the order is now canceled, by any party; false if it cannot
 * be.
 */
async function cancelForCustomer(deps: Pick<OrderDeps, 'db' | 'clock' | 'inventory'>, { order, care }: TrackedOrder) {
  if (!care.customerCancel) return false;
  try {
    const detailsOf = () => ({ reason: 'canceled_by_customer', by: 'customer' as const });
    await takeStep(deps, order.orderId, { event: 'cancel', detailsOf });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'transition_not_allowed') throw error;
    return (await findTrackedOrder(deps.db, order.orderId))?.order.status === 'canceled';
  }
}

import { takeStep } from '../../ordering/money/take-step.flow.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { contentAnswer, emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import { prefersJson } from '../../platform/http/prefers-json.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { customerForm, seeOther } from './customer-forms.route.ts';
import { LinkSchema } from './find-tracked.flow.ts';
import { isCancelable, type TrackedOrder } from './tracked-order.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';
import { askCancelPage, cannotCancelPage, type Frame } from './tracking.page.ts';
import { missingOrProblem, type TrackingDeps } from './tracking.route.ts';

const NONE = pageOrProblem('No order has this `tracking_id`');
const CANNOT = pageOrProblem('The order cannot be canceled here');

const askSchema = {
  operationId: 'readCancelPage',
  tags: ['Tracking'],
  summary: 'The page on which a customer confirms a cancelation',
  description:
    'For accounts that let customers cancel; needs the `key` of the link. The page names the refund, and nothing changes until its form is submitted.',
  example: { query: { tracking_id: '{order_id}', key: '{key}' } },
  querystring: LinkSchema,
  response: { 200: contentAnswer('The page.', ['text/html']), 404: NONE, 409: CANNOT },
};
const cancelSchema = {
  operationId: 'submitCancelPage',
  tags: ['Tracking'],
  summary: 'What the form of that page sends: the order is canceled and refunded',
  description:
    'All that is left of what was charged goes back to the card. An order that cannot be canceled any more stays as it is.',
  example: { body: { tracking_id: '{order_id}', key: '{key}' } },
  consumes: ['application/x-www-form-urlencoded'],
  body: LinkSchema,
  response: {
    303: emptyAnswer('To the page of the order.', { Location: { type: 'string', description: 'The page.' } }),
    404: NONE,
    409: CANNOT,
  },
};

type CancelPageDeps = Pick<OrderDeps, 'inventory'> & TrackingDeps;

/** GET and POST {tracking_url}/tracking/cancel: a customer cancels the order with the key of the link. */
export function cancelRoutes(http: Http, deps: CancelPageDeps): void {
  const { readOptions, submitOptions, begin } = customerForm(deps, ['transition_not_allowed']);
  http.get('/tracking/cancel', { schema: askSchema, ...readOptions }, async (request, reply) => {
    const { query, headers } = request;
    const { frame, visit, tracked } = await begin(request, query, reply);
    if (!tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
    if (visit.key !== null && isCancelable(tracked)) return reply.send(askCancelPage(frame, tracked, visit));
    return reply.code(409).send(refused(frame, tracked, headers.accept, deps.clock.now()));
  });
  withForms(http, (scope) => {
    scope.post('/tracking/cancel', { schema: cancelSchema, ...submitOptions }, async (request, reply) => {
      const { headers, body } = request;
      const page = await begin(request, body, reply, 'An order can be canceled only from its own page.');
      const { frame, visit, tracked } = page;
      if (!tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
      if (visit.key !== null && (await cancelForCustomer(deps, tracked))) return seeOther(reply, frame);
      return reply.code(409).send(refused(frame, tracked, headers.accept, deps.clock.now()));
    });
  });
}

function refused(frame: Frame, tracked: TrackedOrder, accept: string | undefined, now: Temporal.Instant): string {
  if (prefersJson(accept)) throw new Refusal('transition_not_allowed', 'The order cannot be canceled here.');
  return cannotCancelPage(frame, tracked, now);
}

/**
 * Cancels an order for its customer, whose key the caller has checked. The step is the same as a store's cancelation,
 * and serialized with a concurrent pickup. Returns true if the order is now canceled, by any party; false if it cannot
 * be.
 */
async function cancelForCustomer(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'inventory'>,
  { order, care }: TrackedOrder,
): Promise<boolean> {
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

import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { refuseCrossSite } from '../../access/sessions/console-cookie.ts';
import type { OrderDeps } from '../../ordering/orders/order-deps.ts';
import { takeStep } from '../../ordering/orders/take-step.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import { contentAnswer, emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import { prefersJson } from '../../platform/http/prefers-json.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { limitPerMinute } from '../../platform/load/rate-limit.ts';
import { DEFAULT_BRAND, formSecurity } from './brand.ts';
import { findTracked, LinkSchema } from './find-tracked.flow.ts';
import { siteUrlOf } from './site-frame.flow.ts';
import { isCancelable, type TrackedOrder } from './tracked-order.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';
import { askCancelPage, cannotCancelPage, type Frame } from './tracking.page.ts';
import { beginPage, missingOrProblem, refusalPageOf } from './tracking.route.ts';

/** Maximum visits and submissions per customer link and minute. A person needs two. */
const VISITS_PER_MINUTE = 20;

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

type CancelPageDeps = Pick<OrderDeps, 'db' | 'clock' | 'inventory' | 'tokens'> & {
  config: Config;
  trackingSites: Pick<TrackingSites, 'ownHosts'>;
};

/** GET and POST {tracking_url}/tracking/cancel: a customer cancels the order with the key of the link. */
export function cancelRoutes(http: Http, deps: CancelPageDeps): void {
  const { config, clock } = deps;
  const helmet = formSecurity(config, DEFAULT_BRAND);
  const count = limitPerMinute(
    VISITS_PER_MINUTE,
    clock,
    `At most ${VISITS_PER_MINUTE} visits a minute are possible with one link.`,
  );
  const refusalPage = refusalPageOf(deps);
  const refuses = ['order_not_found', 'transition_not_allowed', 'rate_limited', 'not_ready'] as const;
  const askOptions = { schema: askSchema, config: { public: true, refuses, refusalPage }, helmet } as const;
  http.get('/tracking/cancel', askOptions, async ({ query, headers }, reply) => {
    const visit = await findTracked(deps, headers, query);
    const frame = await beginPage(deps, visit, reply, formSecurity);
    if (!visit.tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
    if (visit.key !== null) {
      count(visit.key);
      if (isCancelable(visit.tracked)) return reply.send(askCancelPage(frame, visit.tracked, visit));
    }
    return reply.code(409).send(refused(frame, visit.tracked, headers.accept, clock.now()));
  });
  const cancelOptions = {
    schema: cancelSchema,
    helmet,
    config: {
      public: true,
      refusalPage,
      refuses: [...refuses, 'cross_site_request', 'body_too_large', 'unsupported_media_type'],
    },
  } as const;
  withForms(http, (scope) => {
    scope.post('/tracking/cancel', cancelOptions, async (request, reply) => {
      const { headers, body } = request;
      const visit = await findTracked(deps, headers, body);
      const frame = await beginPage(deps, visit, reply, formSecurity);
      refuseCrossSite(request, siteUrlOf(config, visit), 'An order can be canceled only from its own page.');
      if (!visit.tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
      if (visit.key !== null) count(visit.key);
      if (visit.key === null || !(await cancelForCustomer(deps, visit.tracked))) {
        return reply.code(409).send(refused(frame, visit.tracked, headers.accept, clock.now()));
      }
      reply.removeHeader('content-type');
      return reply.code(303).header('location', `${frame.pagePath}?${frame.linkQuery}`).send(undefined);
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

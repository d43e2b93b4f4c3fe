import { checkoutMember } from '../../ordering/order/checkout-link.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import { findOrderTaxIds } from '../../ordering/statements/store-terms.db.ts';
import { contentAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { prefersJson } from '../../platform/http/prefers-json.ts';
import { findTracked, LinkSchema, type Visit } from './find-tracked.flow.ts';
import { renderOrderPage } from './live-order.ts';
import { beginPage, linkOptions, missingOrProblem, type TrackingDeps } from './site-page.hook.ts';
import { type Frame, missingPage, receiptPage, trackingPage, unplacedPage } from './tracking.page.ts';

/** GET {tracking_url}/tracking?tracking_id=<order_id>&key=<key> shows an order. The key permits changes to it. */
export function trackingRoute(http: Http, deps: TrackingDeps): void {
  const schema = {
    operationId: 'readTrackingPage',
    summary: "Open an order's tracking page",
    description:
      "Shows a page for browsers in the account's branding, with the courier on a map. The `key` in `tracking_link` lets the customer cancel if the account allows it. For JSON, use `GET /account/orders`.",
    example: { query: { tracking_id: '{order_id}', key: '{key}' } },
    querystring: LinkSchema,
    response: {
      200: contentAnswer("The order's page.", ['text/html']),
      404: pageOrProblem('No order has this `tracking_id`'),
    },
  };
  http.get('/tracking', { schema, ...linkOptions(deps) }, async ({ query, headers }, reply) => {
    const visit = await findTracked(deps, headers, query);
    const frame = await beginPage(deps, visit, reply);
    if (!visit.tracked && prefersJson(headers.accept)) throw orderNotFound();
    return reply.code(visit.tracked ? 200 : 404).send(pageOf(deps, visit, frame, deps.clock.now()));
  });
}

function pageOf({ tokens }: TrackingDeps, visit: Visit, frame: Frame, now: Temporal.Instant): string {
  const { tracked, locale, key, lang } = visit;
  if (!tracked) return missingPage(frame);
  const { orderId, mode } = tracked.order;
  const order = renderOrderPage(tracked, visit, locale, now);
  if (order.isPlaced) return trackingPage(frame, orderId, order, mode === 'sandbox', now);
  // Links of a visitor with the key permit changes.
  const site = { siteUrl: frame.siteUrl, keyOf: key === null ? undefined : () => key };
  const { checkout_url: url } = checkoutMember(tracked.order, { tokens, site, now });
  return unplacedPage(frame, order, url && (lang ? `${url}?lang=${lang}` : url), now);
}

const receiptSchema = {
  operationId: 'readTrackingReceipt',
  summary: "Open an order's receipt for printing",
  description: "Shows the same receipt as in the email, in the account's branding.",
  example: { query: { tracking_id: '{order_id}' } },
  querystring: LinkSchema,
  response: {
    200: contentAnswer('The receipt.', ['text/html']),
    404: pageOrProblem('No placed order has this `tracking_id`'),
  },
};

/** GET {tracking_url}/tracking/receipt shows the receipt of a placed order, as emailed. */
export function receiptRoute(http: Http, deps: TrackingDeps): void {
  const { config, clock } = deps;
  const options = { schema: receiptSchema, ...linkOptions(deps) };
  http.get('/tracking/receipt', options, async ({ query, headers }, reply) => {
    const visit = await findTracked(deps, headers, query);
    const frame = await beginPage(deps, visit, reply);
    const placed = visit.tracked?.order.placedAt ? visit.tracked : undefined;
    if (!placed) return reply.code(404).send(missingOrProblem(frame, headers.accept));
    const taxIds = await findOrderTaxIds(deps.db, placed.order, config.taxIds);
    return reply.send(receiptPage(frame, placed, { now: clock.now(), taxIds }));
  });
}

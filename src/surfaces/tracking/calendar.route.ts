import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { isUnderWay } from '../../ordering/order/order-view.ts';
import type { Config } from '../../platform/config/config.ts';
import { contentAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { type CalendarEvent, calendarFile } from './calendar.ts';
import { findTracked, LinkSchema, type Visit } from './find-tracked.flow.ts';
import { destinationWords, storeAddressWords } from './page-words.ts';
import { siteUrlOf } from './site-frame.flow.ts';
import { beginPage, linkOptions, missingOrProblem, type TrackingDeps } from './site-page.hook.ts';

const schema = {
  operationId: 'readTrackingCalendar',
  summary: "Get a scheduled order's slot as a calendar file",
  description:
    'Available while the order is in progress. Contains the tracking link without its `key`, and only the customer data shown on the page.',
  example: { query: { tracking_id: '{order_id}' } },
  querystring: LinkSchema,
  response: {
    200: contentAnswer('One event, as in RFC 5545.', ['text/calendar']),
    404: pageOrProblem('No scheduled order that is under way has this `tracking_id`'),
  },
};

/** GET {tracking_url}/tracking/calendar.ics: a scheduled order for the customer's calendar. */
export function calendarRoute(http: Http, deps: TrackingDeps): void {
  const { config, clock } = deps;
  const options = { schema, ...linkOptions(deps) };
  http.get('/tracking/calendar.ics', options, async ({ query, headers }, reply) => {
    const visit = await findTracked(deps, headers, query);
    const frame = await beginPage(deps, visit, reply);
    const event = eventOf(config, visit, clock.now());
    if (!event) return reply.code(404).send(missingOrProblem(frame, headers.accept));
    const name = visit.tracked?.order.orderNumber ?? 'order';
    reply.header('content-disposition', `attachment; filename="${name}.ics"`);
    return reply.type('text/calendar; charset=utf-8').send(calendarFile(event));
  });
}

/** Writes the event of a scheduled order in progress, with the page's facts: others may read it too. */
function eventOf(config: Config, visit: Visit, now: Temporal.Instant): CalendarEvent | undefined {
  const { tracked, locale } = visit;
  const slot = tracked && isUnderWay(tracked.order) ? tracked.order.quote.scheduled : undefined;
  if (!tracked || !slot) return undefined;
  const { orderId, orderNumber, quote, request } = tracked.order;
  const { page, calendar } = locale.words.customer;
  const url = trackingLinkOf({ siteUrl: siteUrlOf(config, visit) }, orderId);
  const isDelivery = request.mode === 'delivery';
  const number = orderNumber === null ? [] : [page.orderNumber({ number: orderNumber })];
  return {
    uid: `${orderId}@doorstep`,
    stampedAt: now,
    startEpochS: slot.startEpochS,
    endEpochS: slot.endEpochS,
    language: locale.language,
    summary: (isDelivery ? calendar.delivery : calendar.pickup)({ store: quote.store.name }),
    description: [...number, calendar.track({ link: url })].join('\n'),
    location: isDelivery ? destinationWords(request.customer) : storeAddressWords(quote.store.address),
    url,
  };
}

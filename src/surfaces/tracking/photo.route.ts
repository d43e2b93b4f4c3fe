import { listDeliveries } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { findPhoto } from '../../fulfillment/deliveries/proofs.db.ts';
import { contentAnswer, emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { findTracked, LinkSchema } from './find-tracked.flow.ts';
import { beginPage, linkOptions, missingOrProblem, type TrackingDeps } from './site-page.hook.ts';

const schema = {
  operationId: 'readTrackingPhoto',
  summary: 'Get the photo taken at the door',
  description:
    'For the customer: requires the `key` of `tracking_link`. A photo stored by a courier company redirects to the company.',
  example: { query: { tracking_id: '{order_id}', key: '{key}' } },
  querystring: LinkSchema,
  response: {
    200: contentAnswer('The photo, without metadata.', ['image/webp']),
    303: emptyAnswer("Redirects to the courier company's photo.", {
      Location: { type: 'string', description: 'An https address of the company.' },
    }),
    404: pageOrProblem('The link has no `key`, or its order no photo'),
  },
};

/** GET {tracking_url}/tracking/photo: the proof of a completed delivery, for the customer's link only. */
export function photoRoute(http: Http, deps: Omit<TrackingDeps, 'clock'>): void {
  const { db } = deps;
  const options = { schema, ...linkOptions(deps) };
  http.get('/tracking/photo', options, async ({ query, headers }, reply) => {
    const visit = await findTracked(deps, headers, query);
    const { order, photo } = (visit.key !== null && visit.tracked) || {};
    const bytes = order && photo === 'driver' ? await findPhoto(db, order, order.orderId) : undefined;
    if (bytes) return reply.type('image/webp').send(bytes);
    const deliveries = order && photo === 'courier' ? await listDeliveries(db, order.orderId) : [];
    const url = deliveries.findLast(({ proofUrl }) => proofUrl !== null)?.proofUrl;
    if (url) return reply.code(303).header('location', url).send(undefined);
    const frame = await beginPage(deps, visit, reply);
    return reply.code(404).send(missingOrProblem(frame, headers.accept));
  });
}

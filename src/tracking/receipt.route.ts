import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { contentAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';
import { prefersJson } from '../http/prefers-json.ts';
import type { Clock } from '../lib/clock.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { DEFAULT_BRAND } from './brand.ts';
import { findTracked, LinkSchema } from './find-tracked.flow.ts';
import { PAGE_HEADERS, siteSecurity } from './page-headers.ts';
import { receiptPage } from './receipt.page.ts';
import { frameOf } from './site-frame.flow.ts';
import { missingPage } from './tracking.page.ts';

const schema = {
  operationId: 'readTrackingReceipt',
  tags: ['Tracking'],
  summary: 'The receipt of an order, to print or keep',
  description: 'The same receipt as in the mail, in the brand of the account.',
  example: { query: { tracking_id: '{order_id}' } },
  querystring: LinkSchema,
  response: {
    200: contentAnswer('The receipt.', ['text/html']),
    404: contentAnswer(
      'No placed order has this `tracking_id`: a page says so, or a problem where `Accept` puts JSON above HTML.',
      ['text/html'],
    ),
  },
};

/** GET {tracking_url}/tracking/receipt: the receipt of a placed order, as the mail has it. */
export function receiptRoute(http: Http, deps: { config: Config; clock: Clock; db: Db; tokens: TokenSealer }): void {
  const { config, clock } = deps;
  const options = {
    schema,
    config: { public: true, refuses: ['order_not_found', 'not_ready'] } as const,
    helmet: siteSecurity(config, DEFAULT_BRAND),
  };
  http.get('/tracking/receipt', options, async ({ query, headers }, reply) => {
    const visit = await findTracked(deps, headers.host, query);
    const frame = await frameOf(deps, visit);
    const placed = visit.tracked?.order.placedAt ? visit.tracked : undefined;
    reply.helmet(siteSecurity(config, frame.brand));
    reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8');
    if (!placed && prefersJson(headers.accept)) throw orderNotFound();
    if (!placed) return reply.code(404).send(missingPage(frame));
    return reply.send(receiptPage(frame, placed, clock.now()));
  });
}

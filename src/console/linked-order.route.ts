import { Type } from 'typebox';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { contentAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';
import { prefersJson } from '../http/prefers-json.ts';
import type { Clock } from '../lib/clock.ts';
import { findLinkedOrder } from '../merchants/authenticate-console.hook.ts';
import { numberOf } from '../orders/order.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { deadLinkPage, linkedOrderPage } from './console.page.ts';
import { consoleFrame } from './console-frame.flow.ts';
import { CONSOLE_HEADERS, consoleSecurity } from './console-headers.ts';

const schema = {
  operationId: 'readLinkedOrder',
  tags: ['Console'],
  summary: 'The page of one order, for its store; the link is the permission',
  description: 'A page for browsers: a store without a console confirms the order there.',
  params: Type.Object({
    link: Type.String({
      maxLength: 200,
      description: 'Of an e-mail or SMS to the store; dead once the order has ended.',
    }),
  }),
  response: {
    200: contentAnswer('The page of the order.', ['text/html']),
    404: contentAnswer(
      'The link opens no order, or none any more: a page says so, or a problem where `Accept` puts JSON above HTML.',
      ['text/html'],
    ),
  },
};

/** GET /console/order/{link}: one order without a sign-in. */
export function linkedOrderRoute(http: Http, deps: { config: Config; db: Db; clock: Clock }): void {
  const { config, db, clock } = deps;
  const options = {
    schema,
    config: { public: true, refuses: ['order_not_found', 'not_ready'] } as const,
    helmet: consoleSecurity(config.baseUrl),
  };
  http.get('/console/order/:link', options, async ({ params, headers }, reply) => {
    const order = await findLinkedOrder(db, params.link);
    const frame = await consoleFrame(config, clock.now());
    reply.headers({ ...CONSOLE_HEADERS, vary: 'accept' });
    if (!order && prefersJson(headers.accept)) throw orderNotFound();
    reply.type('text/html; charset=utf-8');
    if (!order) return reply.code(404).send(deadLinkPage(frame));
    return reply.send(linkedOrderPage(frame, order.quote.store, numberOf(order)));
  });
}

import type { Logger } from 'pino';
import { Type } from 'typebox';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { contentAnswer, emptyAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';
import type { Clock } from '../lib/clock.ts';
import { OutsideError } from '../lib/outside-error.ts';
import { type ReturnStatus, returnUrlWith } from './card-setup.ts';
import { findCardSetup } from './card-setups.db.ts';
import { noticePage, PAYMENT_PAGE_HEADERS, paymentPageSecurity } from './payment.page.ts';
import type { Gateways } from './payment-gateway.ts';
import { resolveCardSetup } from './save-card.flow.ts';

const schema = {
  operationId: 'returnFromCardPage',
  tags: ['Payment methods'],
  summary: "Where the gateway's card page sends the user: on to the `return_url` of the setup",
  description:
    '`status` is `success`, `canceled`, or `pending` while the gateway does not answer. The page is for browsers.',
  params: Type.Object({ setup_id: Type.String({ description: 'Of the setup.' }) }),
  response: {
    302: emptyAnswer('To the `return_url`, with `status`.', {
      Location: { type: 'string', description: 'The `return_url`, with `status`.' },
    }),
    404: contentAnswer('No setup has this link: a page says so.', ['text/html']),
  },
};

type ReturnDeps = { config: Config; db: Db; clock: Clock; gateways: Gateways; log: Logger };

/** GET /payment/setup/:setup_id/return. It leads to no address but the one that the setup was created with. */
export function cardSetupReturnRoute(http: Http, deps: ReturnDeps): void {
  const helmet = paymentPageSecurity(deps.config.baseUrl);
  http.get(
    '/payment/setup/:setup_id/return',
    { schema, config: { public: true, refuses: ['not_ready'] }, helmet },
    async ({ params }, reply) => {
      reply.headers(PAYMENT_PAGE_HEADERS);
      const setup = await findCardSetup(deps.db, params.setup_id);
      if (!setup) {
        const page = noticePage('Page not found', 'This link is not known. Go back to the shop.');
        return reply.code(404).type('text/html; charset=utf-8').send(page);
      }
      const location = returnUrlWith(setup.returnUrl, await statusOf(deps, setup.setupId));
      return reply.code(302).header('location', location).send(undefined);
    },
  );
}

/** A gateway that does not answer must not hold the customer: its webhook tells the outcome later. */
async function statusOf(deps: ReturnDeps, setupId: string): Promise<ReturnStatus> {
  try {
    return (await resolveCardSetup(deps, setupId))?.state === 'completed' ? 'success' : 'canceled';
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    deps.log.warn({ err: error }, 'the outcome of a card page is not known yet');
    return 'pending';
  }
}

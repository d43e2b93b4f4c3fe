import { Type } from 'typebox';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { refuseCrossSite } from '../../access/sessions/console-cookie.ts';
import { reportProblem } from '../../notify/messages/report-problem.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer, emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { limitPerMinute } from '../../platform/load/rate-limit.ts';
import { DEFAULT_BRAND, formSecurity } from './brand.ts';
import { findTracked, LinkSchema, type Visit } from './find-tracked.flow.ts';
import { problemPage, readProblem } from './problem.page.ts';
import { siteUrlOf } from './site-frame.flow.ts';
import { allowsReport, type TrackedOrder } from './tracked-order.ts';
import { type Frame, notePage } from './tracking.page.ts';
import { beginPage, missingOrProblem, refusalPageOf } from './tracking.route.ts';

/** Maximum visits and submissions per customer link and minute. */
const VISITS_PER_MINUTE = 20;

const sent = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));
const AskSchema = Type.Object({ ...LinkSchema.properties, sent: sent(8, 'The page says that a message was sent.') });
const ProblemForm = Type.Object({
  ...LinkSchema.properties,
  reason: sent(40, '`missing_item`, `wrong_item`, `quality`, `late`, `payment` or `other`.'),
  text: sent(8000, 'What the customer says, up to 1,000 characters.'),
});

const page = (description: string) => contentAnswer(description, ['text/html']);
const NONE = pageOrProblem('No placed order has this `tracking_id`');
const CANNOT = page('The link has no `key`, or the account no help address: a page says so.');

const askSchema = {
  operationId: 'readProblemPage',
  tags: ['Tracking'],
  summary: 'The page on which a customer says what is wrong with an order',
  description: 'For accounts with a help address for mail; needs the `key` of the link.',
  example: { query: { tracking_id: '{order_id}', key: '{key}' } },
  querystring: AskSchema,
  response: { 200: page('The page.'), 404: NONE, 409: CANNOT },
};
const reportSchema = {
  operationId: 'submitProblemPage',
  tags: ['Tracking'],
  summary: 'What the form of that page sends: a mail to the account, with the order',
  description: 'The answer to the mail goes to the customer. Sent again, it is the same mail.',
  example: {
    body: { tracking_id: '{order_id}', key: '{key}', reason: 'missing_item', text: 'The soda was not in the bag.' },
  },
  consumes: ['application/x-www-form-urlencoded'],
  body: ProblemForm,
  response: {
    303: emptyAnswer('To the page that says so.', { Location: { type: 'string', description: 'The page.' } }),
    404: NONE,
    409: CANNOT,
    422: page('The reason or the text is missing, or too long: the page again.'),
    429: page('The order has five messages already: a page names the help address.'),
  },
};

type ProblemDeps = {
  config: Config;
  clock: Clock;
  db: Db;
  tokens: TokenSealer;
  trackingSites: Pick<TrackingSites, 'ownHosts'>;
};

/** GET and POST {tracking_url}/tracking/problem: the customer writes to the account about an order. */
export function problemRoutes(http: Http, deps: ProblemDeps): void {
  const { config, clock } = deps;
  const helmet = formSecurity(config, DEFAULT_BRAND);
  const count = limitPerMinute(
    VISITS_PER_MINUTE,
    clock,
    `At most ${VISITS_PER_MINUTE} visits a minute are possible with one link.`,
  );
  const refusalPage = refusalPageOf(deps);
  const refuses = ['order_not_found', 'rate_limited', 'not_ready'] as const;
  const askOptions = { schema: askSchema, config: { public: true, refuses, refusalPage }, helmet } as const;
  http.get('/tracking/problem', askOptions, async ({ query, headers }, reply) => {
    const visit = await findTracked(deps, headers, query);
    const frame = await beginPage(deps, visit, reply, formSecurity);
    const tracked = placedOf(visit);
    if (!tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
    if (visit.key !== null) count(visit.key);
    const refusal = refused(frame, visit, tracked);
    if (refusal !== undefined) return reply.code(409).send(refusal);
    const { problem } = frame.locale.words.customer;
    if (query.sent === undefined) return reply.send(problemPage(frame, tracked, visit));
    return reply.send(notePage(frame, tracked, problem.sent, problem.sentDetail({ brand: frame.brand.name })));
  });
  const reportOptions = {
    schema: reportSchema,
    config: {
      public: true,
      refusalPage,
      refuses: [...refuses, 'cross_site_request', 'body_too_large', 'unsupported_media_type'],
    },
    helmet,
  } as const;
  withForms(http, (scope) => {
    scope.post('/tracking/problem', reportOptions, async (request, reply) => {
      const { headers, body } = request;
      const visit = await findTracked(deps, headers, body);
      const frame = await beginPage(deps, visit, reply, formSecurity);
      refuseCrossSite(request, siteUrlOf(config, visit), 'A problem can be reported only from the page of its order.');
      const tracked = placedOf(visit);
      if (!tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
      if (visit.key !== null) count(visit.key);
      const refusal = refused(frame, visit, tracked);
      if (refusal !== undefined) return reply.code(409).send(refusal);
      const report = readProblem(body);
      if ('faults' in report) {
        return reply.code(422).send(problemPage(frame, tracked, visit, { typed: body, faults: report.faults }));
      }
      if ((await reportProblem(deps, tracked.order, report)) === 'too_many') {
        const { notSent, tooMany } = frame.locale.words.customer.problem;
        return reply
          .code(429)
          .send(notePage(frame, tracked, notSent, tooMany({ email: tracked.care.helpEmail ?? '' })));
      }
      reply.removeHeader('content-type');
      return reply.code(303).header('location', `${frame.pagePath}/problem?${frame.linkQuery}&sent=1`).send(undefined);
    });
  });
}

function placedOf({ tracked }: Visit): TrackedOrder | undefined {
  return tracked?.order.placedAt ? tracked : undefined;
}

function refused(frame: Frame, { key }: Visit, tracked: TrackedOrder): string | undefined {
  if (allowsReport(tracked) && key !== null) return undefined;
  const { cannot, openYourLink } = frame.locale.words.customer.problem;
  return notePage(frame, tracked, cannot, ...(allowsReport(tracked) ? [openYourLink] : []));
}

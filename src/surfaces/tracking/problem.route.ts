import { Type } from 'typebox';
import { reportProblem } from '../../notify/messages/report-problem.flow.ts';
import { contentAnswer, emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import { customerForm, seeOther, sentText } from './customer-forms.route.ts';
import { LinkSchema, type Visit } from './find-tracked.flow.ts';
import { problemPage, readProblem } from './problem.page.ts';
import { allowsReport, type TrackedOrder } from './tracked-order.ts';
import { type Frame, notePage } from './tracking.page.ts';
import { missingOrProblem, type TrackingDeps } from './tracking.route.ts';

const AskSchema = Type.Object({
  ...LinkSchema.properties,
  sent: sentText(8, 'The page says that a message was sent.'),
});
const ProblemForm = Type.Object({
  ...LinkSchema.properties,
  reason: sentText(40, '`missing_item`, `wrong_item`, `quality`, `late`, `payment` or `other`.'),
  text: sentText(8000, 'What the customer says, up to 1,000 characters.'),
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

/** GET and POST {tracking_url}/tracking/problem: the customer writes to the account about an order. */
export function problemRoutes(http: Http, deps: TrackingDeps): void {
  const { readOptions, submitOptions, begin } = customerForm(deps, []);
  http.get('/tracking/problem', { schema: askSchema, ...readOptions }, async (request, reply) => {
    const { query, headers } = request;
    const { frame, visit } = await begin(request, query, reply);
    const tracked = placedOf(visit);
    if (!tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
    const refusal = refused(frame, visit, tracked);
    if (refusal !== undefined) return reply.code(409).send(refusal);
    const { problem } = frame.locale.words.customer;
    if (query.sent === undefined) return reply.send(problemPage(frame, tracked, visit));
    return reply.send(notePage(frame, tracked, problem.sent, problem.sentDetail({ brand: frame.brand.name })));
  });
  withForms(http, (scope) => {
    scope.post('/tracking/problem', { schema: reportSchema, ...submitOptions }, async (request, reply) => {
      const { headers, body } = request;
      const page = await begin(request, body, reply, 'A problem can be reported only from the page of its order.');
      const { frame, visit } = page;
      const tracked = placedOf(visit);
      if (!tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
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
      return seeOther(reply, frame, '/problem', '&sent=1');
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

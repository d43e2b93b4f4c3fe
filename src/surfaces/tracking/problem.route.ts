import { reportProblem } from '../../notify/messages/report-problem.flow.ts';
import { pageAnswer } from '../../platform/http/form-page.ts';
import type { Http } from '../../platform/http/http.ts';
import { orderForm, sentText, toOrder } from './order-form.route.ts';
import { problemPage, readProblem } from './problem.page.ts';
import type { TrackingDeps } from './site-page.hook.ts';
import { allowsReport } from './tracked-order.ts';
import { notePage } from './tracking.page.ts';

/* The page where a customer reports a problem with an order; the account answers it. */

/** GET and POST {tracking_url}/tracking/problem: the customer writes to the account about an order. */
export function problemRoutes(http: Http, deps: TrackingDeps): void {
  orderForm(http, deps, {
    name: 'problem',
    crossSite: "A problem can only be reported from its order's page.",
    none: 'No placed order has this `tracking_id`',
    cannot: pageAnswer('The link lacks its `key`, or the account has no help address. A page says so.'),
    shows: {
      operationId: 'readProblemPage',
      summary: 'Open the page for reporting a problem with an order',
      description: "For accounts with a help email address. Requires the link's `key`.",
      query: { sent: sentText(8, 'The page says that a message was sent.') },
    },
    takes: {
      operationId: 'submitProblemPage',
      summary: 'Email a problem with an order to the account',
      description:
        "The page's form sends this request. A reply to the email goes to the customer. Repeating the request sends the same email only once.",
      sent: { reason: 'missing_item', text: 'The soda was not in the bag.' },
      fields: {
        reason: sentText(40, '`missing_item`, `wrong_item`, `quality`, `late`, `payment` or `other`.'),
        text: sentText(8000, "The customer's description, up to 1,000 characters."),
      },
      next: 'Redirects to the confirmation page.',
      answers: {
        422: pageAnswer('The reason or the text is missing or too long. The page is shown again.'),
        429: pageAnswer('The order already has five messages. A page shows the help address.'),
      },
    },
    isFor: ({ order }) => order.placedAt !== null,
    refusal({ frame, tracked, visit }) {
      if (allowsReport(tracked) && visit.key !== null) return undefined;
      const { cannot, openYourLink } = frame.locale.words.customer.problem;
      return notePage(frame, tracked, cannot, ...(allowsReport(tracked) ? [openYourLink] : []));
    },
    show({ frame, tracked, visit }, { sent }) {
      const { problem } = frame.locale.words.customer;
      if (sent === undefined) return { html: problemPage(frame, tracked, visit) };
      return { html: notePage(frame, tracked, problem.sent, problem.sentDetail({ brand: frame.brand.name })) };
    },
    async take(page, typed) {
      const { frame, tracked, visit } = page;
      const report = readProblem(typed);
      if ('faults' in report) {
        return { status: 422, html: problemPage(frame, tracked, visit, { typed, faults: report.faults }) };
      }
      if ((await reportProblem(deps, tracked.order, report)) !== 'too_many')
        return toOrder(page, '/problem', '&sent=1');
      const { notSent, tooMany } = frame.locale.words.customer.problem;
      return { status: 429, html: notePage(frame, tracked, notSent, tooMany({ email: tracked.care.helpEmail ?? '' })) };
    },
  });
}

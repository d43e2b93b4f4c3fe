import { type Static, Type } from 'typebox';
import { centsIn, readAmount } from '../../ordering/money/offered-tips.ts';
import { type RaiseTipDeps, raiseTip } from '../../ordering/money/raise-tip.flow.ts';
import { allowsLaterTip, maxTypedTipCents } from '../../ordering/money/tip.ts';
import { tipOf } from '../../ordering/order/order-view.ts';
import { customerCaller } from '../../ordering/place/checkout.flow.ts';
import { contentAnswer, emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { customerForm, seeOther, sentText } from './customer-forms.route.ts';
import { LinkSchema, type Visit } from './find-tracked.flow.ts';
import { chooseTipPage, confirmTipPage } from './tip.page.ts';
import type { TrackedOrder } from './tracked-order.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';
import { type Frame, notePage } from './tracking.page.ts';
import { missingOrProblem, type TrackingDeps } from './tracking.route.ts';

/*
 * {tracking_url}/tracking/tip: the customer tips after the delivery. Forms send the total tip, like `POST /order/tip`,
 * so a double click, a lost response or a second tab charges it only once.
 */

const ChooseSchema = Type.Object({
  ...LinkSchema.properties,
  add: sentText(16, 'Cents to add to the tip: the page asks for the charge.'),
  amount: sentText(16, 'The same as typed, such as 5.00.'),
});
const TipForm = Type.Object({ ...LinkSchema.properties, tip: sentText(16, 'The whole tip in cents.') });

const page = (description: string) => contentAnswer(description, ['text/html']);
const NONE = pageOrProblem('No order has this `tracking_id`');
const CANNOT = page('The order takes no tip, the link has no `key`, or the tip is higher already: a page says so.');

const readSchema = {
  operationId: 'readTipPage',
  tags: ['Tracking'],
  summary: 'The page on which a customer tips after the delivery',
  description: 'For 24 hours, with the `key` of the link, where a card paid for the order. Charges nothing.',
  example: { query: { tracking_id: '{order_id}', key: '{key}' } },
  querystring: ChooseSchema,
  response: { 200: page('The page.'), 404: NONE, 409: CANNOT, 422: page('The amount is none: the page says so.') },
};
const submitSchema = {
  operationId: 'submitTipPage',
  tags: ['Tracking'],
  summary: 'What the form of that page sends: the tip is raised, and the difference charged',
  description: 'To the card that paid for the order. Sent again, it charges nothing more.',
  example: { body: { tracking_id: '{order_id}', key: '{key}', tip: '900' } },
  consumes: ['application/x-www-form-urlencoded'],
  body: TipForm,
  response: {
    303: emptyAnswer('To the page of the order.', { Location: { type: 'string', description: 'The page.' } }),
    402: page('The card was declined, or its bank asks the customer: a page says so.'),
    404: NONE,
    409: CANNOT,
    422: page('The amount is none: the page says so.'),
    429: page('Too many cards were declined: a page says so.'),
    503: page('The outcome of the charge is not known yet: the page again.'),
  },
};

type TipPageDeps = RaiseTipDeps & TrackingDeps;
type Answer = { status: 200 | 402 | 409 | 422 | 429 | 503; html: string };

/** GET and POST {tracking_url}/tracking/tip. */
export function tipRoutes(http: Http, deps: TipPageDeps): void {
  const { readOptions, submitOptions, begin } = customerForm(deps, ['payment_gateway_not_configured']);
  http.get('/tracking/tip', { schema: readSchema, ...readOptions }, async (request, reply) => {
    const { query, headers } = request;
    const { frame, visit, tracked } = await begin(request, query, reply);
    if (!tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
    const answer = refused(frame, visit, tracked, deps.clock.now()) ?? choose(frame, visit, tracked, query);
    return reply.code(answer.status as 200).send(answer.html);
  });
  withForms(http, (scope) => {
    scope.post('/tracking/tip', { schema: submitSchema, ...submitOptions }, async (request, reply) => {
      const { headers, body } = request;
      const page = await begin(request, body, reply, 'A tip can be added only from the page of its order.');
      const { frame, visit, tracked } = page;
      if (!tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
      const answer =
        refused(frame, visit, tracked, deps.clock.now()) ?? (await pay(deps, frame, visit, tracked, body.tip));
      return answer ? reply.code(answer.status as 402).send(answer.html) : seeOther(reply, frame);
    });
  });
}

/** Returns the page if the link has no key or the order takes no tip; undefined if the customer may tip. */
function refused(frame: Frame, { key }: Visit, tracked: TrackedOrder, now: Temporal.Instant): Answer | undefined {
  const { tip } = frame.locale.words.customer;
  const isOpen = allowsLaterTip(tracked.order, now);
  if (isOpen && key !== null) return undefined;
  return { status: 409, html: notePage(frame, tracked, tip.cannot, isOpen ? tip.openYourLink : tip.when) };
}

function choose(frame: Frame, visit: Visit, tracked: TrackedOrder, query: Static<typeof ChooseSchema>): Answer {
  const { add, amount } = query;
  if (add === undefined && amount === undefined) return { status: 200, html: chooseTipPage(frame, tracked, visit) };
  const wholeCents = tipOf(tracked.order) + (centsIn(add) ?? readAmount(amount ?? '') ?? 0);
  if (!isHigher(tracked, wholeCents)) return { status: 422, html: chooseTipPage(frame, tracked, visit, amount ?? '') };
  return { status: 200, html: confirmTipPage(frame, tracked, visit, { wholeCents }) };
}

function isHigher({ order }: TrackedOrder, wholeCents: number): boolean {
  return wholeCents > tipOf(order) && wholeCents <= maxTypedTipCents(order.quote);
}

/** Charges the tip. Returns undefined if the order now has it, whether from this form or an earlier one. */
async function pay(
  deps: TipPageDeps,
  frame: Frame,
  visit: Visit,
  tracked: TrackedOrder,
  tip: string | undefined,
): Promise<Answer | undefined> {
  const { order } = tracked;
  const wholeCents = centsIn(tip);
  if (wholeCents === undefined || wholeCents > maxTypedTipCents(order.quote)) {
    return { status: 422, html: chooseTipPage(frame, tracked, visit, '') };
  }
  try {
    await raiseTip(deps, customerCaller(order), { orderId: order.orderId, tipCents: wholeCents });
    return undefined;
  } catch (error) {
    const current = (await findTrackedOrder(deps.db, order.orderId)) ?? tracked;
    if (tipOf(current.order) === wholeCents) return undefined;
    return answerRefusal(frame, visit, current, { error, wholeCents });
  }
}

/** Explains a refused tip in the page's language. Errors that the customer cannot act on are rethrown. */
function answerRefusal(
  frame: Frame,
  visit: Visit,
  tracked: TrackedOrder,
  { error, wholeCents }: { error: unknown; wholeCents: number },
): Answer {
  const { customer, checkout } = frame.locale.words;
  const { tip } = customer;
  const again = (status: Answer['status'], notice: string): Answer => ({
    status,
    html: confirmTipPage(frame, tracked, visit, { wholeCents, notice }),
  });
  const note = (status: Answer['status'], detail: string): Answer => ({
    status,
    html: notePage(frame, tracked, tip.notAdded, detail),
  });
  if (tipOf(tracked.order) > wholeCents) return note(409, tip.higher);
  if (error instanceof OutsideError) return again(503, checkout.payment.unreachable);
  if (!(error instanceof Refusal)) throw error;
  switch (error.code) {
    case 'payment_declined':
      return note(402, declineInWords(String(error.extras.members?.decline_code), tip));
    case 'too_many_declines':
      return note(429, checkout.payment.tooMany);
    case 'idempotency_in_progress':
      return again(409, tip.busy);
    case 'payment_method_not_found':
      return note(409, tip.cardGone);
    case 'tip_not_allowed':
    case 'transition_not_allowed':
      return note(409, tip.when);
    default:
      throw error;
  }
}

function declineInWords(code: string, tip: Frame['locale']['words']['customer']['tip']): string {
  if (code === 'insufficient_funds') return tip.insufficientFunds;
  if (code === 'expired_card') return tip.expired;
  return code.startsWith('authentication_') ? tip.needsApproval : tip.declined;
}

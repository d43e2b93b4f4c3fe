import { centsIn, readAmount } from '../../ordering/money/offered-tips.ts';
import { type RaiseTipDeps, raiseTip } from '../../ordering/money/raise-tip.flow.ts';
import { allowsLaterTip, maxTypedTipCents } from '../../ordering/money/tip.ts';
import { tipOf } from '../../ordering/order/order-view.ts';
import { customerCaller } from '../../ordering/place/checkout.flow.ts';
import { type FormAnswer, pageAnswer } from '../../platform/http/form-page.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { type OrderVisit, orderForm, sentText, toOrder } from './order-form.route.ts';
import type { TrackingDeps } from './site-page.hook.ts';
import { chooseTipPage, confirmTipPage } from './tip.page.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';
import { type Frame, notePage } from './tracking.page.ts';

/*
 * {tracking_url}/tracking/tip: the customer tips after the delivery. Forms send the total tip, like `POST /order/tip`,
 * so a double click, a lost response or a second tab charges it only once.
 */

const CHOOSE = {
  add: sentText(16, 'The cents to add to the tip. The page asks the customer to confirm the charge.'),
  amount: sentText(16, 'The same amount as typed, such as 5.00.'),
};
const NO_AMOUNT = pageAnswer('The amount is invalid, and the page says so.');

type TipPageDeps = RaiseTipDeps & TrackingDeps;

/** GET and POST {tracking_url}/tracking/tip. */
export function tipRoutes(http: Http, deps: TipPageDeps): void {
  orderForm(http, deps, {
    name: 'tip',
    refuses: ['payment_gateway_not_configured'],
    crossSite: "A tip can only be added from its order's page.",
    cannot: pageAnswer(
      'The order accepts no tip, the link lacks its `key`, or the tip is already higher. A page says so.',
    ),
    shows: {
      operationId: 'readTipPage',
      summary: 'Open the page for tipping after delivery',
      description: "Available for 24 hours with the link's `key`, if a card paid for the order. Charges nothing.",
      query: CHOOSE,
      answers: { 422: NO_AMOUNT },
    },
    takes: {
      operationId: 'submitTipPage',
      summary: "Raise an order's tip from its page",
      description:
        "The page's form sends this request. The difference is charged to the order's card. Repeating the request charges nothing more.",
      sent: { tip: '900' },
      fields: { tip: sentText(16, 'The full tip, in cents.') },
      answers: {
        402: pageAnswer('The card was declined, or its bank asks the customer to approve. A page says so.'),
        422: NO_AMOUNT,
        429: pageAnswer('Too many cards were declined, and a page says so.'),
        503: pageAnswer("The charge's outcome isn't known yet. The page is shown again."),
      },
    },
    refusal({ frame, tracked, visit }) {
      const { tip } = frame.locale.words.customer;
      const isOpen = allowsLaterTip(tracked.order, deps.clock.now());
      if (isOpen && visit.key !== null) return undefined;
      return notePage(frame, tracked, tip.cannot, isOpen ? tip.openYourLink : tip.when);
    },
    show({ frame, visit, tracked }, { add, amount }) {
      if (add === undefined && amount === undefined) return { html: chooseTipPage(frame, tracked, visit) };
      const present = tipOf(tracked.order);
      const wholeCents = present + (centsIn(add) ?? readAmount(amount ?? '') ?? 0);
      if (wholeCents <= present || wholeCents > maxTypedTipCents(tracked.order.quote)) {
        return { status: 422, html: chooseTipPage(frame, tracked, visit, amount ?? '') };
      }
      return { html: confirmTipPage(frame, tracked, visit, { wholeCents }) };
    },
    take: (page, { tip }) => pay(deps, page, tip),
  });
}

/** Charges the tip, whether it's from this form or an earlier one. */
async function pay(deps: TipPageDeps, page: OrderVisit, tip: string | undefined): Promise<FormAnswer> {
  const { frame, visit, tracked } = page;
  const { order } = tracked;
  const wholeCents = centsIn(tip);
  if (wholeCents === undefined || wholeCents > maxTypedTipCents(order.quote)) {
    return { status: 422, html: chooseTipPage(frame, tracked, visit, '') };
  }
  try {
    await raiseTip(deps, customerCaller(order), { orderId: order.orderId, tipCents: wholeCents });
    return toOrder(page);
  } catch (error) {
    const current = (await findTrackedOrder(deps.db, order.orderId)) ?? tracked;
    if (tipOf(current.order) === wholeCents) return toOrder(page);
    return answerRefusal({ ...page, tracked: current }, { error, wholeCents });
  }
}

/** Explains a refused tip in the page's language. Errors that the customer cannot act on are rethrown. */
function answerRefusal(
  { frame, visit, tracked }: OrderVisit,
  { error, wholeCents }: { error: unknown; wholeCents: number },
): FormAnswer {
  const { customer, checkout } = frame.locale.words;
  const { tip } = customer;
  const again = (status: number, notice: string) => ({
    status,
    html: confirmTipPage(frame, tracked, visit, { wholeCents, notice }),
  });
  const note = (status: number, detail: string) => ({ status, html: notePage(frame, tracked, tip.notAdded, detail) });
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

import { html } from 'doorstep/html';
import { offeredTips } from '../../ordering/money/offered-tips.ts';
import { tipOf } from '../../ordering/order/order-view.ts';
import { formField } from '../../platform/lib/form-field.ts';
import type { TrackedOrder, Visitor } from './tracked-order.ts';
import { type Frame, formDocument, linkFields } from './tracking.page.ts';

/** The pages where a customer tips after the delivery: an amount is chosen, then confirmed. */

/** Offers percentages of the items' price, or an amount, on top of the current tip. `typed` is an invalid amount. */
export function chooseTipPage(frame: Frame, tracked: TrackedOrder, visitor: Visitor, typed?: string): string {
  const { words, format } = frame.locale;
  const { tip } = words.customer;
  const says = words.checkout.tip;
  const { order } = tracked;
  const present = tipOf(order);
  const offers = offeredTips(order.quote.subtotalCents + order.quote.markupCents).filter(({ cents }) => cents > 0);
  const body = html`${present > 0 && html`<p class="detail">${tip.before({ amount: format.money(present) })}</p>`}
<form action="${frame.pagePath}/tip">
${linkFields(tracked, visitor)}
<ul class="tips">${offers.map(({ percent, cents }) => html`<li><button type="submit" class="action" name="add" value="${cents}">${format.percent(percent)} <small>${format.money(cents)}</small></button></li>`)}</ul>
</form>
<form action="${frame.pagePath}/tip">
${linkFields(tracked, visitor)}
${formField(
  { id: 'amount', label: says.amount, fault: typed !== undefined && says.badAmount },
  (aria) =>
    html`<div class="pair"><input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="10" required value="${typed ?? ''}"${aria}>
<button type="submit" class="action">${words.checkout.card.next}</button></div>`,
)}
</form>`;
  return formDocument(frame, tip.title, body);
}

/** Asks the customer to confirm the charge. The form sends the total tip, so a resubmission charges nothing more. */
export function confirmTipPage(
  frame: Frame,
  tracked: TrackedOrder,
  visitor: Visitor,
  { wholeCents, notice }: { wholeCents: number; notice?: string },
): string {
  const { words, format } = frame.locale;
  const { tip } = words.customer;
  const present = tipOf(tracked.order);
  const amount = format.money(wholeCents - present);
  const title = tip.confirm({ amount });
  const body = html`${notice && html`<p class="fault" role="alert">${notice}</p>`}
<p class="detail">${tip.charge({ amount })}</p>
${present > 0 && html`<p class="detail">${tip.whole({ amount: format.money(wholeCents) })}</p>`}
<form method="post" action="${frame.pagePath}/tip">
${linkFields(tracked, visitor)}
<input type="hidden" name="tip" value="${wholeCents}">
<button type="submit" id="confirm-tip" class="action main">${tip.pay({ amount })}</button>
</form>
<a class="action" href="${frame.pagePath}/tip?${frame.linkQuery}">${tip.other}</a>`;
  return formDocument(frame, title, body);
}

import { html } from '../lib/html.ts';
import { formatPrice } from '../lib/money.ts';
import { noticePage, paymentDocument } from './payment.page.ts';
import type { AskedCharge } from './payment-gateway.ts';

/** The page on which the sandbox gateway asks a customer to approve a charge. */
export function askingPage({ amountCents }: AskedCharge): string {
  const main = html`<h1>Approve this payment?</h1>
<p class="lead">Your bank asks you to approve a payment of <strong>${formatPrice(amountCents)}</strong>.</p>
<form method="post">
<button name="answer" value="approve">Approve</button>
<button class="second" name="answer" value="fail">Fail the check</button>
</form>`;
  return paymentDocument({ title: 'Approve this payment?', main, isTest: true });
}

/** The page after the bank's: the order is finalized where it was begun. */
export function answeredPage(): string {
  return noticePage('Thank you', 'Your bank has your answer. Go back to where you ordered to finish the order.');
}

export function unknownLinkPage(): string {
  return noticePage('Page not found', 'This link is not known. Check that it is whole.');
}

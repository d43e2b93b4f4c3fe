import { displayNameOf } from '../accounts/branding.ts';
import { formatPrice } from '../lib/money.ts';
import { cancelReasonInWords } from './cancel-reason.ts';
import type { MailContent } from './mail-content.ts';
import type { Occasion } from './occasion.ts';
import { cardInWords, orderFact, storeFact } from './order-facts.ts';
import { brandOf, footOf, helpOf } from './receipt-mail.ts';

/** The cancelation e-mail: the reason, and the refund, also where nothing was charged. */
export function cancelationMail(occasion: Occasion): MailContent {
  const { order, branding, trackingLink, refundCents } = occasion;
  const { name } = order.quote.store;
  const sender = displayNameOf(branding);
  return {
    brand: brandOf(occasion),
    subject: `Your order from ${name} has been canceled`,
    headline: 'Your order has been canceled',
    lead: [
      `Your order from ${name} was canceled. ${cancelReasonInWords(order.cancelReason)}`,
      moneyInWords(occasion, sender),
    ],
    link: { label: 'See your order', url: trackingLink },
    facts: [
      { label: 'Refund', lines: [formatPrice(refundCents)] },
      { label: 'Order total', lines: [formatPrice(order.quote.totalWithTipCents + order.addedTipCents)] },
      storeFact(order),
      orderFact(order),
    ],
    receipt: undefined,
    help: helpOf(branding),
    foot: footOf(sender, occasion),
  };
}

function moneyInWords({ order, card, refundCents }: Occasion, sender: string): string {
  if (refundCents > 0) {
    const where = card ? `your ${cardInWords(card)}` : 'the card you paid with';
    const all = order.refundedCents > 0 ? 'all that is left of what you paid' : 'all you paid';
    const amount = `${formatPrice(refundCents)} goes back to ${where}, which is ${all}.`;
    return `${amount} Banks usually show a refund within 5 to 10 days.`;
  }
  if (!order.request.chargeUser) return `No card was charged with the order; its payment was arranged by ${sender}.`;
  return 'You have not been charged, so there is nothing to refund.';
}

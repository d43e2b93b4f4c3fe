import { displayNameOf } from '../accounts/branding.ts';
import { formatPrice } from '../lib/money.ts';
import { adjustedCents } from '../orders/adjustments/reprice-order.ts';
import { itemChanges } from './item-change.ts';
import type { MailContent, MailFact } from './mail-content.ts';
import type { Occasion } from './occasion.ts';
import { cardInWords, orderFact, storeFact } from './order-facts.ts';
import { receiptOfOrder } from './receipt.ts';
import { brandOf, footOf, helpOf } from './receipt-mail.ts';

/** The e-mail about items that the store lacks: what comes instead, and what is given back. */
export function itemChangedMail(occasion: Occasion): MailContent {
  const { order, branding, trackingLink, refunds } = occasion;
  const { name } = order.quote.store;
  const sender = displayNameOf(branding);
  const isCheaper = adjustedCents(order) > 0;
  return {
    brand: brandOf(occasion),
    subject: `A change to your order from ${name}`,
    headline: 'Your order has changed',
    lead: [`${name} does not have everything that you ordered.`, moneyInWords(occasion, isCheaper, sender)],
    link: { label: 'See your order', url: trackingLink },
    facts: [...changeFacts(occasion), storeFact(order), orderFact(order)],
    receipt: receiptOfOrder(order, refunds),
    help: helpOf(occasion.branding),
    foot: footOf(sender, occasion),
  };
}

/** Each changed item by the name that it was ordered by. */
function changeFacts({ order }: Occasion): MailFact[] {
  return itemChanges(order).flatMap((change, index) =>
    change === undefined ? [] : [{ label: order.quote.items[index]?.name ?? '', lines: [change] }],
  );
}

function moneyInWords({ order, card, refundCents }: Occasion, isCheaper: boolean, sender: string): string {
  if (refundCents > 0) {
    const where = card ? `your ${cardInWords(card)}` : 'the card you paid with';
    return `${formatPrice(refundCents)} goes back to ${where}. Banks usually show a refund within 5 to 10 days.`;
  }
  if (!isCheaper) return 'It costs you nothing more.';
  if (!order.request.chargeUser) return `No card was charged with the order; its payment was arranged by ${sender}.`;
  return 'What it costs less was given back to you before.';
}

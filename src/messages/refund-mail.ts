import { displayNameOf } from '../accounts/branding.ts';
import { formatPrice } from '../lib/money.ts';
import type { Refund } from '../orders/refunds/refund.ts';
import { cancelReasonInWords } from './cancel-reason.ts';
import type { MailContent, MailFact } from './mail-content.ts';
import type { Occasion } from './occasion.ts';
import { cardInWords, orderFact, storeFact } from './order-facts.ts';
import { receiptOfOrder } from './receipt.ts';
import { brandOf, footOf, helpOf } from './receipt-mail.ts';
import { unitsInWords } from './refund-lines.ts';

/** The e-mail about a part of an order that went back: what for, to which card, and the receipt as it is now. */
export function refundMail(occasion: Occasion): MailContent {
  const { order, branding, card, refundCents, refunds, trackingLink } = occasion;
  const { name } = order.quote.store;
  const refund = refunds.at(-1);
  const where = card ? `your ${cardInWords(card)}` : 'the card you paid with';
  const what = refund && refund.items.length > 0 ? ` for ${unitsInWords(refund.items, order.quote.items)}` : '';
  return {
    brand: brandOf(occasion),
    subject: `A refund for your order from ${name}`,
    headline: `${formatPrice(refundCents)} goes back to you`,
    lead: [
      `${formatPrice(refundCents)} of your order from ${name} goes back to ${where}${what}.`,
      'Banks usually show a refund within 5 to 10 days.',
    ],
    link: { label: 'See your order', url: trackingLink },
    facts: [
      { label: 'Refund', lines: [formatPrice(refundCents)] },
      ...reasonFacts(refund),
      storeFact(order),
      orderFact(order),
    ],
    receipt: receiptOfOrder(order, refunds),
    help: helpOf(branding),
    foot: footOf(displayNameOf(branding), occasion),
  };
}

function reasonFacts(refund: Refund | undefined): MailFact[] {
  const reason = refund?.reason.trim() ?? '';
  return reason === '' ? [] : [{ label: 'Reason', lines: [cancelReasonInWords(reason)] }];
}

import { displayNameOf } from '../accounts/branding.ts';
import { firstName } from '../lib/text/normalise-text.ts';
import type { MailContent } from './mail-content.ts';
import type { Occasion } from './occasion.ts';
import { arrivalInWords, destinationFacts, orderFact, storeFact } from './order-facts.ts';
import { brandOf, footOf, helpOf } from './receipt-mail.ts';
import { momentInWords } from './when.ts';

/** The e-mail that a driver has the order, for accounts that add it. */
export function onItsWayMail(occasion: Occasion): MailContent {
  const { order, trackingLink } = occasion;
  const driver = firstName(order.driver.name ?? '') || 'A driver';
  return {
    ...commonOf(occasion),
    subject: `Your order from ${order.quote.store.name} is on its way`,
    headline: 'Your order is on its way',
    lead: [`${driver} has it and is on the way to you. Follow it below.`],
    link: { label: 'Track your order', url: trackingLink },
    facts: [
      { label: 'Arrives', lines: [arrivalInWords(occasion)] },
      storeFact(order),
      ...destinationFacts(order),
      orderFact(order),
    ],
  };
}

/** The e-mail that the order was delivered, for accounts that add it. */
export function deliveredMail(occasion: Occasion): MailContent {
  const { order, at, trackingLink } = occasion;
  const { name, timeZone } = order.quote.store;
  return {
    ...commonOf(occasion),
    subject: `Your order from ${name} was delivered`,
    headline: 'Your order was delivered',
    lead: ['Enjoy! Your receipt is one click away.'],
    link: { label: 'See your order', url: trackingLink },
    facts: [
      { label: 'Delivered', lines: [momentInWords(order.completedAt ?? at, timeZone, at)] },
      storeFact(order),
      orderFact(order),
    ],
  };
}

function commonOf(occasion: Occasion): Pick<MailContent, 'brand' | 'receipt' | 'help' | 'foot'> {
  const { branding } = occasion;
  return {
    brand: brandOf(occasion),
    receipt: undefined,
    help: helpOf(branding),
    foot: footOf(displayNameOf(branding), occasion),
  };
}

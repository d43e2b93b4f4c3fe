import type { Locale } from '../../texts/catalogs.ts';
import { isAllDay, rangeInWords } from '../stores/format-hours.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import { type Discount, itemsInWords, type Promotion } from './promotion.ts';

/** A promotion's text: its owner's words, never translated, or its terms'. */
export const promotionTitle = (of: Titled, locale: Locale): string => of.title ?? termsInWords(of, locale);

type Titled = Pick<Discount, 'title' | 'terms' | 'itemNames'>;

/** A promotion's terms, and its conditions on an order or its time. */
export type OfferedTerms = Pick<
  Promotion,
  'title' | 'terms' | 'items' | 'itemNames' | 'minimumSubtotalCents' | 'mode' | 'firstOrder' | 'hours'
>;

/** A promotion in a store's list: only its title, or `20% off · $15.00 minimum · Mon – Fri, 2:00 – 5:00 PM`. */
export function offerInWords(promotion: OfferedTerms, locale: Locale): string {
  const { title, terms, items, itemNames, minimumSubtotalCents: minimum = 0, mode, firstOrder, hours } = promotion;
  const { promotion: says, checkout } = locale.words;
  if (title !== undefined) return title;
  const isOnSome = items !== undefined || (terms.kind === 'buy_get' && terms.getItems !== undefined);
  const counted = itemsInWords(itemNames, checkout.promoCode, locale.format);
  const facts = [
    termsInWords(promotion, locale),
    minimum > 0 && says.minimum({ amount: locale.format.money(minimum), items: counted }),
    isOnSome && says.someItems,
    mode !== undefined && terms.kind !== 'delivery' && says.modeOnly[mode],
    firstOrder && says.firstOrder,
    hours && hoursInWords(hours, locale),
  ];
  return facts.filter((fact) => typeof fact === 'string' && fact !== '').join(' · ');
}

/** `Mon – Fri, 2:00 – 5:00 PM`; different hours of several days are not listed, and all hours are empty. */
function hoursInWords(hours: WeeklyHours, { words, format }: Locale): string {
  const [first = 0, ...others] = hours.flatMap((ranges, day) => (ranges.length > 0 ? [day] : []));
  const timesOn = (day: number) => hours[day]?.map((range) => rangeInWords(range, format)).join(', ');
  if (others.some((day) => timesOn(day) !== timesOn(first))) return words.promotion.someHours;
  const days = others.length < hours.length - 1 && format.weekdays([first, ...others]);
  return [days, !isAllDay(hours[first] ?? []) && timesOn(first)].filter((part) => typeof part === 'string').join(', ');
}

/** `20% off`, `Free delivery`; of tiers the highest, with its items. */
function termsInWords({ terms, itemNames }: Titled, { words, format }: Locale): string {
  const { promotion: says } = words;
  const money = (cents: number) => format.money(cents);
  switch (terms.kind) {
    case 'item_price':
      return 'priceCents' in terms
        ? says.price({ price: money(terms.priceCents) })
        : says.percent({ percent: format.percent(terms.percent) });
    case 'percent': {
      const percent = format.percent(terms.percent);
      const { maxDiscountCents: max } = terms;
      return max === undefined ? says.percent({ percent }) : says.percentUpTo({ percent, amount: money(max) });
    }
    case 'amount':
      return says.amount({ amount: money(terms.amountCents) });
    case 'spend': {
      const [best] = terms.tiers.toSorted((a, b) => b.minimumSubtotalCents - a.minimumSubtotalCents);
      const { minimumSubtotalCents = 0, amountCents = 0 } = best ?? {};
      const items = itemsInWords(itemNames, words.checkout.promoCode, format);
      return says.spend({ minimum: money(minimumSubtotalCents), amount: money(amountCents), items });
    }
    case 'buy_get': {
      const units = { buy: format.number(terms.buy), get: format.number(terms.get) };
      return terms.percent === 100
        ? says.buyGet(units)
        : says.buyGetPercent({ ...units, percent: format.percent(terms.percent) });
    }
    case 'waived':
      return says.waived;
    case 'delivery':
      return 'toCents' in terms ? says.freeDelivery : says.deliveryOff({ amount: money(terms.amountCents) });
  }
}

import type { Locale } from '../../texts/catalogs.ts';
import { isAllDay, rangeInWords } from '../stores/format-hours.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import type { Discount, Promotion } from './promotion.ts';

/** A promotion's text: its owner's words, never translated, or its terms'. */
export const promotionTitle = (
  { title, terms }: Pick<Promotion, 'title' | 'terms'> | Pick<Discount, 'title' | 'terms'>,
  locale: Locale,
): string => title ?? termsInWords(terms, locale);

/** The terms of a promotion, and the conditions of an order or its time that it has. */
export type OfferedTerms = Pick<
  Promotion,
  'title' | 'terms' | 'items' | 'minimumSubtotalCents' | 'mode' | 'firstOrder' | 'hours'
>;

/** A promotion in the list of a store: its title alone, or `20% off · $15.00 minimum · Mon – Fri, 2:00 – 5:00 PM`. */
export function offerInWords(promotion: OfferedTerms, locale: Locale): string {
  const { title, terms, items, minimumSubtotalCents: minimum = 0, mode, firstOrder, hours } = promotion;
  const { promotion: says } = locale.words;
  if (title !== undefined) return title;
  const isOnSome = items !== undefined || (terms.kind === 'buy_get' && terms.getItems !== undefined);
  const facts = [
    termsInWords(terms, locale),
    minimum > 0 && says.minimum({ amount: locale.format.money(minimum) }),
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

/** `20% off`, `Free delivery`; of tiers the highest. */
function termsInWords(terms: Discount['terms'], { words, format }: Locale): string {
  const { promotion: says } = words;
  const money = (cents: number) => format.money(cents);
  switch (terms.kind) {
    case 'item_price':
      return 'priceCents' in terms
        ? says.price({ price: money(terms.priceCents) })
        : says.percent({ percent: format.percent(terms.percent) });
    case 'percent': {
      const percent = format.percent(terms.percent);
      const { maxDiscountCents } = terms;
      return maxDiscountCents === undefined
        ? says.percent({ percent })
        : says.percentUpTo({ percent, amount: money(maxDiscountCents) });
    }
    case 'amount':
      return says.amount({ amount: money(terms.amountCents) });
    case 'spend': {
      const [best] = terms.tiers.toSorted((a, b) => b.minimumSubtotalCents - a.minimumSubtotalCents);
      const { minimumSubtotalCents = 0, amountCents = 0 } = best ?? {};
      return says.spend({ minimum: money(minimumSubtotalCents), amount: money(amountCents) });
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

import { formatPrice } from '../../lib/money.ts';
import { readOpenSpec, weekOf } from '../open-ranges.ts';
import { currencyFault, readPrice } from '../read-price.ts';
import { firstText, type LdNode, nodesOf } from './nodes.ts';
import { labelOf, type StoreContext } from './store-context.ts';

/** A price that a thing is sold at. */
export type ItemOffer = { node: LdNode; id: string; name: string; cents: number; available: boolean };

/** Offers of offers, as far as pages go. */
const DEPTH = 3;
const GONE = /(?:OutOfStock|SoldOut|Discontinued)$/;

/**
 * The offers of an item that have a price; offers without distinct names count once for each price. Beside offers that are
 * available, those that are gone do not count: nobody can choose them. An unreadable price is a fault of the item.
 */
export function offersOf(context: StoreContext, item: LdNode): ItemOffer[] {
  const offers = nodesOf(context.graph, item, 'offers').flatMap((offer) => pricedOffers(context, item, offer, 1));
  const available = offers.filter((offer) => offer.available);
  const seen = new Set<string>();
  return (available.length > 0 ? available : offers).filter(({ name, cents }) => {
    const said = `${cents} ${name}`;
    const isNew = !seen.has(said);
    seen.add(said);
    return isNew;
  });
}

function pricedOffers(context: StoreContext, item: LdNode, offer: LdNode, depth: number): ItemOffer[] {
  const { graph } = context;
  const within = nodesOf(graph, offer, 'offers');
  if (within.length > 0 && depth < DEPTH) {
    return within.flatMap((one) => pricedOffers(context, item, one, depth + 1));
  }
  const specifications = nodesOf(graph, offer, 'priceSpecification');
  const hasPrice = ['price', 'lowPrice', 'highPrice'].some((key) => firstText(graph, offer, key) !== '');
  const sources = hasPrice || specifications.length === 0 ? [offer] : specifications;
  return sources.flatMap((source) => {
    const cents = centsOf(context, item, source);
    if (cents === null) return [];
    const name = firstText(graph, source, 'name') || nameOf(context, offer);
    const gone = GONE.test(firstText(graph, offer, 'availability') || linkOf(context, offer));
    return [{ node: offer, id: source.id ?? (name || formatPrice(cents)), name, cents, available: !gone }];
  });
}

/** The price in cents; null without a price. An unreadable price is reported and counts as missing. */
function centsOf({ graph, notes, country }: StoreContext, item: LdNode, source: LdNode): number | null {
  const text = (key: string) => firstText(graph, source, key);
  const [low, high] = [text('lowPrice'), text('highPrice')];
  const price = text('price') || (high === '' || high === low ? low : `${low} to ${high}`);
  if (price === '' && high === '') return null;
  const currency = currencyFault(text('priceCurrency'), country);
  if (currency !== null) notes.fault(labelOf(graph, item), 'offers.priceCurrency', currency);
  const read = readPrice(price || high, country);
  if (!read.ok) notes.fault(labelOf(graph, item), 'offers.price', read.expected);
  return read.ok ? read.cents : 0;
}

function nameOf({ graph }: StoreContext, offer: LdNode): string {
  const [offered] = nodesOf(graph, offer, 'itemOffered');
  const names = [firstText(graph, offer, 'name'), offered ? firstText(graph, offered, 'name') : ''];
  return names.find((name) => name !== '') || firstText(graph, offer, 'description') || firstText(graph, offer, 'sku');
}

/** An availability that is a reference. */
function linkOf({ graph }: StoreContext, offer: LdNode): string {
  const [link] = nodesOf(graph, offer, 'availability');
  return link ? (link.id ?? '') : '';
}

/** The menu hours of an item or section from its offers; undefined means all hours. */
export function soldHours({ graph, notes }: StoreContext, owner: LdNode): object | undefined {
  const times = nodesOf(graph, owner, 'offers').map((offer) => ({
    opens: firstText(graph, offer, 'availabilityStarts'),
    closes: firstText(graph, offer, 'availabilityEnds'),
  }));
  const [first, ...more] = times.filter(({ opens, closes }) => opens !== '' && closes !== '');
  if (!first || more.some(({ opens, closes }) => opens !== first.opens || closes !== first.closes)) return undefined;
  const read = readOpenSpec({ ...first, days: [], onlyForATime: false });
  if (read.ok) return weekOf(read.ranges);
  notes.warn(
    labelOf(graph, owner),
    'offers.availabilityStarts',
    'expected times of the day; left out, so sold at all hours',
  );
  return undefined;
}

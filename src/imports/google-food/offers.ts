import type { Mode } from '../../stores/mode.ts';
import { MODES, type Variant } from '../priced-variants.ts';
import { currencyFault, readPrice } from '../read-price.ts';
import { listOf, textOf } from './entity.ts';
import { firstText, type StoreContext } from './store-context.ts';
import { type GraphEntity, given } from './store-graph.ts';

type Offer = { entity: GraphEntity; modes: readonly Mode[]; cents: number };

/** A variant of an item: one of its options, one of several offers, or the item itself. */
export type ItemChoice = Variant & {
  /** The option or offer of the variant; null where the item has no choice. */
  entity: GraphEntity | null;
  offers: readonly GraphEntity[];
};

const MODE_OF_SERVICE: Readonly<Record<string, Mode>> = { DELIVERY: 'delivery', TAKEOUT: 'pickup' };

export function modeOfService(serviceType: unknown): Mode | undefined {
  const name = textOf(serviceType).toUpperCase();
  return Object.hasOwn(MODE_OF_SERVICE, name) ? MODE_OF_SERVICE[name] : undefined;
}

/**
 * The variants of an item in these modes. The price of an option is the whole price of the item with it; an item without
 * options may have one offer for each mode, or several offers to choose from.
 */
export function choicesOf(context: StoreContext, item: GraphEntity, modes: readonly Mode[]): ItemChoice[] {
  const options = context.graph.below(item, 'MenuItemOption');
  if (options.length > 0) return options.flatMap((option) => choiceOfOption(context, option, modes));
  const offers = offersOf(context, item, modes);
  if (offers.length === 0) return [];
  const single = pricesOf(offers);
  if (single) return [{ entity: null, prices: single, offers: offers.map(({ entity }) => entity) }];
  return offers.map((offer) => ({ entity: offer.entity, prices: pricesOf([offer]) ?? {}, offers: [offer.entity] }));
}

function choiceOfOption(context: StoreContext, option: GraphEntity, modes: readonly Mode[]): ItemChoice[] {
  const offers = offersOf(context, option, modes);
  const prices = pricesOf(offers);
  if (prices === null) context.notes.fault(option.label, '', 'expected one price for each service');
  if (offers.length === 0) context.notes.warn(option.label, '', 'expected a MenuItemOffer; left out');
  if (prices === null || offers.length === 0) return [];
  return [{ entity: option, prices, offers: offers.map(({ entity }) => entity) }];
}

function offersOf({ graph, notes, country }: StoreContext, owner: GraphEntity, modes: readonly Mode[]): Offer[] {
  return graph.below(owner, 'MenuItemOffer').flatMap((entity) => {
    const services = listOf(given(entity, 'applicableServiceType')).map(modeOfService);
    const offered = modes.filter((mode) => services.length === 0 || services.includes(mode));
    const currency = currencyFault(given(entity, 'priceCurrency'), country);
    if (currency !== null) notes.fault(entity.label, 'priceCurrency', currency);
    const price = readPrice(listOf(given(entity, 'price'))[0], country);
    if (!price.ok) notes.fault(entity.label, 'price', price.expected);
    return offered.length > 0 ? [{ entity, modes: offered, cents: price.ok ? price.cents : 0 }] : [];
  });
}

/** One price for each mode; null where a mode has several prices. */
function pricesOf(offers: readonly Offer[]): Partial<Record<Mode, number>> | null {
  const prices: Partial<Record<Mode, number>> = {};
  for (const mode of MODES) {
    const [first, ...more] = offers.filter((offer) => offer.modes.includes(mode));
    if (more.length > 0) return null;
    if (first) prices[mode] = first.cents;
  }
  return prices;
}

/** The name of a form: an option's value, an offer's name or its number in the store's books. */
export function choiceName(entity: GraphEntity): string {
  const value = given(entity, 'value') ?? given(entity, 'name') ?? given(entity, 'sku');
  return textOf(listOf(value)[0]) || firstText(entity, '@id');
}

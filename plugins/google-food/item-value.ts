import { present } from 'doorstep/collections';
import type { Mode } from 'doorstep/plugin';
import {
  type AddOn,
  containsItself,
  createPlacedIds,
  currencyFault,
  FEED_LIMITS,
  hasTooManyOptions,
  type PlacedIds,
  PRICED_MODES,
  priceVariants,
  readPrice,
  readSourceFood,
  soldOptions,
  type Variant,
} from 'doorstep/plugin';
import { asList, fieldOf, isFields, toText } from './entity.ts';
import { availabilityOf } from './service-hours.ts';
import {
  entityValue,
  firstText,
  type GraphEntity,
  isTrue,
  type RestaurantContext,
  wholeProperty,
} from './store-graph.ts';

/**
 * Converts a menu item of Google's feed to a product: offers and variants, add-ons, options, prices, stock and food.
 */

/**
 * State of a product's conversion: ids used so far, the entities on the path to the current choices, and required
 * choices that are sold out.
 */
type ProductScope = {
  modes: readonly Mode[];
  customizations: PlacedIds;
  options: PlacedIds;
  way: readonly string[];
  soldOut: GraphEntity[];
};

const MINIMUM = ['eligibleQuantityMin', 'eligibleQuantityMinValue', 'minimumQuantity'];
const MAXIMUM = ['eligibleQuantityMax', 'eligibleQuantityMaxValue', 'maximumQuantity'];

/** Converts a menu item to a line's product; null without a price in these modes. */
export function googleProduct(
  context: RestaurantContext,
  item: GraphEntity,
  id: string,
  modes: readonly Mode[],
): object | null {
  const { notes } = context;
  const all = itemChoices(context, item, modes);
  const { choices, stock } = soldChoices(context, all);
  const priced = priceVariants(choices);
  if (choices.length === 0) notes.warn(item.label, '', 'expected a MenuItemOffer; left out');
  else if (!priced) notes.fault(item.label, '', 'expected the same choices and differences in price in each service');
  if (!priced) return null;
  const ids = { customizations: createPlacedIds(), options: createPlacedIds() };
  const scope: ProductScope = { modes, ...ids, way: [item.label], soldOut: [] };
  const customizations = [
    ...choiceGroup(context, item, { choices, extras: priced.extras }, scope),
    ...addOnsOf(context, item, scope),
  ];
  const soldModes = priced.price.modes ?? (modes.length < PRICED_MODES.length ? [...modes] : undefined);
  return notes.from(item.label, {
    id,
    name: firstText(item, 'name'),
    description: firstText(item, 'description'),
    ...priced.price,
    ...present({ modes: soldModes }),
    image: imageOf(item),
    ...(scope.soldOut.length > 0 ? SOLD_OUT : stock),
    hours: itemHours(context, item, all),
    food: googleFood(context, item),
    customizations,
  });
}

/** The URL of the first picture, which is a text or an object. */
export function imageOf(entity: GraphEntity): string | undefined {
  const text = firstText(entity, 'image') || firstText(entity, 'imageUrl');
  return text === '' ? undefined : text;
}

const SOLD_OUT = { qty_available: 0 };

/**
 * The variants on sale, and the item's stock. The level of a single offer is the item's stock. With several offers,
 * level 0 removes a variant; if none is left, the item is sold out.
 */
function soldChoices(
  context: RestaurantContext,
  all: readonly ItemChoice[],
): { choices: readonly ItemChoice[]; stock: { qty_available?: number } } {
  const levelOf = (offer: GraphEntity) => wholeProperty(context, offer, ['inventoryLevel']);
  const [offer, ...more] = all.flatMap(({ offers }) => offers);
  if (!offer) return { choices: all, stock: {} };
  if (more.length === 0) {
    const level = levelOf(offer);
    return { choices: all, stock: level === undefined ? {} : { qty_available: level } };
  }
  const sold = all.filter(({ offers }) => offers.some((one) => levelOf(one) !== 0));
  return sold.length > 0 ? { choices: sold, stock: {} } : { choices: all, stock: SOLD_OUT };
}

/** The item's own hours, or its only offer's. */
function itemHours(context: RestaurantContext, item: GraphEntity, choices: readonly ItemChoice[]) {
  const [offer, ...more] = choices.flatMap(({ offers }) => offers);
  return availabilityOf(context, item) ?? (offer && more.length === 0 ? availabilityOf(context, offer) : undefined);
}

/** The required choice of one of an item's variants. Each option costs its price minus the cheapest variant's. */
function choiceGroup(
  context: RestaurantContext,
  item: GraphEntity,
  { choices, extras }: { choices: readonly ItemChoice[]; extras: readonly number[] },
  scope: ProductScope,
): object[] {
  const [first] = choices;
  if (!first?.entity) return [];
  const isOption = first.entity.type === 'MenuItemOption';
  const group = scope.customizations.place(isOption ? 'options' : 'offers', item.id);
  const options = choices.flatMap(({ entity }, at) => {
    if (!entity || !context.takePlace(entity) || hasTooManyOptions(scope)) return [];
    const way = [...scope.way, entity.label];
    return context.notes.from(entity.label, {
      id: scope.options.place(entity.id, item.id),
      name: choiceName(entity),
      price: extras[at] ?? 0,
      ...(isTrue(entity, 'isDefault') ? { default_qty: 1 } : {}),
      food: googleFood(context, entity),
      customizations: addOnsOf(context, entity, { ...scope, way }),
    });
  });
  const name = isOption ? groupName(firstText(first.entity, 'optionType')) : 'Choose one';
  return [context.notes.from(item.label, { id: group, name, min_choice_options: 1, max_choice_options: 1, options })];
}

/** `SIZE` as `Size`. */
function groupName(optionType: string): string {
  const words = optionType.replaceAll('_', ' ').toLowerCase();
  return words === '' ? 'Options' : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/**
 * Add-on sections of an item or option. Reads one level beyond the depth limit, so that the line's parser refuses it.
 */
function addOnsOf(context: RestaurantContext, owner: GraphEntity, scope: ProductScope): object[] {
  if (scope.way.length > 3 * FEED_LIMITS.customizationDepth + 3) return [];
  return context.graph.below(owner, 'MenuSection').flatMap((section) => addOn(context, owner, section, scope));
}

function addOn(context: RestaurantContext, owner: GraphEntity, section: GraphEntity, scope: ProductScope): object[] {
  const { graph, notes } = context;
  if (
    !context.takePlace(section) ||
    hasTooManyOptions(scope) ||
    containsItself(notes, section.label, section.label, scope.way)
  )
    return [];
  const id = scope.customizations.place(section.id, owner.id);
  const within = { ...scope, way: [...scope.way, section.label] };
  const minimum = wholeProperty(context, section, MINIMUM) ?? 0;
  const addOns = graph.below(section, 'MenuItem').flatMap((item) => addOnOption(context, section, item, within));
  const { options, isSoldOut } = soldOptions(addOns, minimum);
  // If a required choice of the item itself is sold out, so is the item.
  if (isSoldOut && scope.way.length === 1) scope.soldOut.push(section);
  const maximum = wholeProperty(context, section, MAXIMUM);
  if (graph.below(section, 'MenuSection').length > 0) {
    notes.warn(section.label, '', 'expected add-ons without sections of their own; those are left out');
  }
  if (options.length < minimum && !hasTooManyOptions(scope)) {
    notes.fault(section.label, '', `expected at least ${minimum} items to choose from, found ${options.length}`);
  } else if (options.length === 0) {
    if (addOns.length === 0) notes.warn(section.label, '', 'expected items to choose from; left out');
    return [];
  }
  return [
    notes.from(section.label, {
      id,
      name: firstText(section, 'name'),
      min_choice_options: minimum,
      ...present({ max_choice_options: maximum }),
      options,
    }),
  ];
}

function addOnOption(
  context: RestaurantContext,
  section: GraphEntity,
  item: GraphEntity,
  scope: ProductScope,
): AddOn[] {
  const { notes } = context;
  if (!context.takePlace(item) || hasTooManyOptions(scope) || containsItself(notes, item.label, item.label, scope.way))
    return [];
  const { choices, stock } = soldChoices(context, itemChoices(context, item, scope.modes));
  const priced = priceVariants(choices);
  if (choices.length === 0) notes.warn(item.label, '', 'expected a MenuItemOffer; left out');
  else if (!priced) notes.fault(item.label, '', 'expected the same choices and differences in price in each service');
  if (!priced) return [];
  const { price, pickup_price: pickupPrice, modes = scope.modes } = priced.price;
  if (price !== pickupPrice) notes.fault(item.label, '', 'expected one price of an add-on in each service');
  if (modes.length < scope.modes.length) {
    notes.warn(item.label, '', 'expected an add-on in each service that its item is in; left out');
    return [];
  }
  const id = scope.options.place(item.id, section.id);
  const within = { ...scope, way: [...scope.way, item.label] };
  const nested = [
    ...choiceGroup(context, item, { choices, extras: priced.extras }, within),
    ...addOnsOf(context, item, within),
  ];
  const quantities = quantitiesOf(context, item, choices);
  const name = firstText(item, 'name');
  const food = googleFood(context, item);
  const option = notes.from(item.label, { id, name, price, ...quantities, food, customizations: nested });
  return [{ option, isSold: stock.qty_available !== 0 }];
}

function quantitiesOf(context: RestaurantContext, item: GraphEntity, choices: readonly ItemChoice[]): object {
  const offer = choices[0]?.offers[0];
  const minimum = offer && wholeProperty(context, offer, MINIMUM);
  const most = offer && wholeProperty(context, offer, MAXIMUM);
  return present({
    min_qty: minimum,
    max_qty: most,
    default_qty:
      entityValue(item, 'isDefault') !== undefined && isTrue(item, 'isDefault') ? Math.max(1, minimum ?? 1) : undefined,
  });
}

type Offer = { entity: GraphEntity; modes: readonly Mode[]; cents: number };

/** A variant of an item: an option, one of several offers, or the item itself. */
type ItemChoice = Variant & {
  /** The option or offer; null if the item is its only variant. */
  entity: GraphEntity | null;
  offers: readonly GraphEntity[];
};

const MODE_OF_SERVICE: Readonly<Record<string, Mode>> = { DELIVERY: 'delivery', TAKEOUT: 'pickup' };

export function modeOfService(serviceType: unknown): Mode | undefined {
  const name = toText(serviceType).toUpperCase();
  return Object.hasOwn(MODE_OF_SERVICE, name) ? MODE_OF_SERVICE[name] : undefined;
}

/**
 * The variants of an item in these modes. An option's price is the item's full price with it. An item without options
 * may have one offer per mode, or several to choose from.
 */
function itemChoices(context: RestaurantContext, item: GraphEntity, modes: readonly Mode[]): ItemChoice[] {
  const options = context.graph.below(item, 'MenuItemOption');
  if (options.length > 0) return options.flatMap((option) => choiceOfOption(context, option, modes));
  const offers = googleOffers(context, item, modes);
  if (offers.length === 0) return [];
  const single = modePrices(offers);
  if (single) return [{ entity: null, prices: single, offers: offers.map(({ entity }) => entity) }];
  return offers.map((offer) => ({ entity: offer.entity, prices: modePrices([offer]) ?? {}, offers: [offer.entity] }));
}

function choiceOfOption(context: RestaurantContext, option: GraphEntity, modes: readonly Mode[]): ItemChoice[] {
  const offers = googleOffers(context, option, modes);
  const prices = modePrices(offers);
  if (prices === null) context.notes.fault(option.label, '', 'expected one price for each service');
  if (offers.length === 0) context.notes.warn(option.label, '', 'expected a MenuItemOffer; left out');
  if (prices === null || offers.length === 0) return [];
  return [{ entity: option, prices, offers: offers.map(({ entity }) => entity) }];
}

function googleOffers(
  { graph, notes, country }: RestaurantContext,
  owner: GraphEntity,
  modes: readonly Mode[],
): Offer[] {
  return graph.below(owner, 'MenuItemOffer').flatMap((entity) => {
    const services = asList(entityValue(entity, 'applicableServiceType')).map(modeOfService);
    const offered = modes.filter((mode) => services.length === 0 || services.includes(mode));
    const currency = currencyFault(entityValue(entity, 'priceCurrency'), country);
    if (currency !== null) notes.fault(entity.label, 'priceCurrency', currency);
    const price = readPrice(asList(entityValue(entity, 'price'))[0], country);
    if (!price.ok) notes.warn(entity.label, 'price', `${price.expected}; left out`);
    return price.ok && offered.length > 0 ? [{ entity, modes: offered, cents: price.cents }] : [];
  });
}

/** One price per mode; null if a mode has several. */
function modePrices(offers: readonly Offer[]): Partial<Record<Mode, number>> | null {
  const prices: Partial<Record<Mode, number>> = {};
  for (const mode of PRICED_MODES) {
    const [first, ...more] = offers.filter((offer) => offer.modes.includes(mode));
    if (more.length > 0) return null;
    if (first) prices[mode] = first.cents;
  }
  return prices;
}

/** A variant's name: an option's value, an offer's name or its SKU. */
function choiceName(entity: GraphEntity): string {
  const value = entityValue(entity, 'value') ?? entityValue(entity, 'name') ?? entityValue(entity, 'sku');
  return toText(asList(value)[0]) || firstText(entity, '@id');
}

/** The food facts of a menu item, add-on or option, as a line's `food`; undefined without any. */
function googleFood({ notes }: RestaurantContext, entity: GraphEntity): object | undefined {
  const entityTexts = (...keys: string[]) =>
    keys.flatMap((key) => asList(entityValue(entity, key)).map(toText)).filter((text) => text !== '');
  const [nutrition] = asList(entityValue(entity, 'nutrition'));
  const { food, lost } = readSourceFood({
    source: 'google-food',
    diets: entityTexts('suitableDiet', 'dietaryRestriction'),
    allergens: entityTexts('allergen'),
    nutrition: isFields(nutrition) ? (property) => toText(asList(fieldOf(nutrition, property))[0]) : null,
  });
  for (const { property, expected } of lost) notes.warn(entity.label, property, expected);
  return food;
}

import type { Mode, ParsedStoreLine } from 'doorstep/plugin';
import {
  createPlacedIds,
  createSourceNotes,
  FEED_LIMITS,
  feedId,
  MINUTES_PER_DAY,
  type PlacedIds,
  PRICED_MODES,
} from 'doorstep/plugin';
import { deliveryZonesOf } from './delivery-zones.ts';
import { asList, toText } from './entity.ts';
import { type GoogleServiceFee, googleFees, readServiceFees } from './fee-value.ts';
import { googleProduct, imageOf, modeOfService } from './item-value.ts';
import { availabilityOf, hoursFieldsOf, isAdvance, type OfferedService } from './service-hours.ts';
import {
  createRestaurantContext,
  decimalProperty,
  entityValue,
  firstText,
  type GraphEntity,
  isTrue,
  type RestaurantContext,
  type StoreGraph,
  wholeProperty,
} from './store-graph.ts';

/** A restaurant of the relational feed as a store line, by the rules of docs/feeds.md. */
export function readRestaurant(graph: StoreGraph): ParsedStoreLine {
  const { restaurant } = graph;
  const notes = createSourceNotes();
  const context = createRestaurantContext(graph, notes);
  const text = (key: string) => firstText(restaurant, key);
  const image = imageOf(restaurant);
  const line = notes.from(restaurant.label, {
    external_id: feedId(restaurant.id),
    name: text('name'),
    type: 'restaurant',
    phone: text('telephone'),
    description: text('description'),
    address: {
      street_addr: text('streetAddress'),
      city: text('addressLocality'),
      state: text('addressRegion'),
      zipcode: text('postalCode'),
      country: text('addressCountry'),
    },
    latitude: decimalProperty(restaurant, 'latitude'),
    longitude: decimalProperty(restaurant, 'longitude'),
    cuisines: asList(entityValue(restaurant, 'servesCuisine')).map(toText),
    photos: image === undefined ? {} : { store: [image] },
    ...serviceFieldsOf(context),
    categories: googleCategories(context),
  });
  return notes.parse(line);
}

const DEFAULT_PREP_MINUTES = 20;

/** The line's fields that depend on a restaurant's services: modes, hours, fees, slots. */
function serviceFieldsOf(context: RestaurantContext): object {
  const services = servicesOf(context).map((one) => ({
    ...one,
    hours: context.graph.below(one.service, 'ServiceHours'),
  }));
  const fees = readServiceFees(context, services);
  const delivery = services.filter(({ mode }) => mode === 'delivery');
  const pickup = services.filter(({ mode }) => mode === 'pickup');
  return {
    ...hoursFieldsOf(context, services),
    // Without services the modes are unknown, and the feed's default applies.
    ...(services.length === 0
      ? {}
      : {
          pickup: { enabled: pickup.length > 0, ...prepOf(context, pickup) },
          delivery: { enabled: delivery.length > 0, ...prepOf(context, delivery), ...areasOf(context, delivery, fees) },
        }),
    fees: googleFees(context, fees),
    ...schedulingOf(context, services),
  };
}

/** Minimum and maximum lead time in minutes. */
function prepOf(context: RestaurantContext, services: readonly OfferedService[]): object {
  const hours = services.flatMap((service) => service.hours).filter((one) => !isAdvance(one));
  const least = hours.flatMap((one) => wholeProperty(context, one, ['leadTimeMin']) ?? []);
  const most = hours.flatMap((one) => wholeProperty(context, one, ['leadTimeMax']) ?? []);
  if (least.length + most.length === 0) return {};
  const from = least.reduce((a, b) => Math.min(a, b), most[0] ?? DEFAULT_PREP_MINUTES);
  return { prep_minutes: [from, [...least, ...most].reduce((a, b) => Math.max(a, b), from)] };
}

/**
 * Where the services deliver. If there are several, each has its own minutes; hours and service fees are the store's.
 */
function areasOf(
  context: RestaurantContext,
  services: readonly OfferedService[],
  fees: readonly GoogleServiceFee[],
): object {
  for (const { service } of services.slice(1)) {
    const message = 'expected one delivery service; its hours and service fee apply to all of them';
    context.notes.warn(service.label, '', message);
  }
  const areMany = services.length > 1;
  return deliveryZonesOf(
    context,
    services.map((one) => ({ service: one.service, minutes: areMany ? prepOf(context, [one]) : {} })),
    fees,
  );
}

/** The scheduling settings, if a service takes advance orders. */
function schedulingOf(context: RestaurantContext, services: readonly OfferedService[]): object {
  const hours = services.flatMap((service) => service.hours).find(isAdvance);
  if (!hours) return {};
  const lead = wholeProperty(context, hours, ['advanceBookingRequirementMin']);
  const ahead = wholeProperty(context, hours, ['advanceBookingRequirementMax']);
  const slot = slotMinutes(entityValue(hours, 'advanceBookingSlotInterval'));
  return {
    scheduling: context.notes.from(hours.label, {
      enabled: true,
      ...(lead === undefined ? {} : { lead_minutes: lead }),
      ...(ahead === undefined ? {} : { days_ahead: Math.min(365, Math.floor(ahead / MINUTES_PER_DAY)) }),
      ...(slot === null ? {} : { slot_minutes: slot }),
    }),
  };
}

/** Minutes, or an ISO 8601 duration of hours and minutes such as `PT15M`. */
function slotMinutes(value: unknown): number | null {
  const match = /^(?:PT)?(?:(\d{1,2})H)?(?:(\d{1,4})M?)?$/i.exec(
    typeof value === 'number' ? String(value) : String(value ?? ''),
  );
  const minutes = Number(match?.[1] ?? 0) * 60 + Number(match?.[2] ?? 0);
  return minutes > 0 ? minutes : null;
}

type MenuUse = { menu: GraphEntity; modes: readonly Mode[] };

type MenuWalk = {
  context: RestaurantContext;
  /** Modes of each section, from all menus that contain it. */
  modesOf: ReadonlyMap<string, ReadonlySet<Mode>>;
  categoryIds: PlacedIds;
  productIds: PlacedIds;
  /** Sections that already became categories, with their menu. */
  placed: Map<string, string>;
};

/** A restaurant's services, except disabled ones. */
function servicesOf({ graph }: RestaurantContext): { service: GraphEntity; mode: Mode }[] {
  return graph.below(graph.restaurant, 'Service').flatMap((service) => {
    const mode = modeOfService(entityValue(service, 'serviceType'));
    return mode && !isTrue(service, 'isDisabled') ? [{ service, mode }] : [];
  });
}

/**
 * A restaurant's menus as a line's categories. A section becomes one category, in all modes of its menus; an item
 * becomes a product in each of its sections.
 */
function googleCategories(context: RestaurantContext): object[] {
  const uses = menuUses(context);
  const walk: MenuWalk = {
    context,
    modesOf: sectionModes(context, uses),
    categoryIds: createPlacedIds(),
    productIds: createPlacedIds(),
    placed: new Map(),
  };
  return uses.flatMap((use) => menuCategories(walk, use));
}

function menuUses(context: RestaurantContext): MenuUse[] {
  const { graph } = context;
  const services = servicesOf(context);
  const offered = new Set(services.map(({ mode }) => mode));
  const uses = new Map<string, { menu: GraphEntity; modes: Set<Mode> }>();
  for (const { service, mode } of services) {
    for (const menu of graph.below(service, 'Menu')) {
      const use = uses.get(menu.label) ?? { menu, modes: new Set<Mode>() };
      uses.set(menu.label, use);
      use.modes.add(mode);
    }
  }
  for (const menu of uses.size === 0 ? graph.below(graph.restaurant, 'Menu') : []) {
    uses.set(menu.label, { menu, modes: new Set(PRICED_MODES) });
  }
  // A menu of every service needs no restriction.
  return [...uses.values()].map(({ menu, modes }) => ({
    menu,
    modes: modes.size === offered.size ? PRICED_MODES : PRICED_MODES.filter((mode) => modes.has(mode)),
  }));
}

function sectionModes({ graph }: RestaurantContext, uses: readonly MenuUse[]): Map<string, Set<Mode>> {
  const modesOf = new Map<string, Set<Mode>>();
  for (const { menu, modes } of uses) {
    const seen = new Set<string>();
    const open = [menu];
    for (let next = open.pop(); next; next = open.pop()) {
      if (seen.has(next.label)) continue;
      seen.add(next.label);
      modesOf.set(next.label, new Set([...(modesOf.get(next.label) ?? []), ...modes]));
      open.push(...graph.below(next, 'MenuSection'));
    }
  }
  return modesOf;
}

function menuCategories(walk: MenuWalk, { menu }: MenuUse): object[] {
  const { graph, notes } = walk.context;
  const products = googleProducts(walk, menu);
  const own =
    products.length === 0
      ? []
      : [
          notes.from(menu.label, {
            id: walk.categoryIds.place(menu.id, 'menu'),
            name: firstText(menu, 'name') || 'Menu',
            products,
          }),
        ];
  const sections = graph.below(menu, 'MenuSection').flatMap((section) => googleCategory(walk, section, menu, 1));
  return [...own, ...sections];
}

/** Converts a section to a category; empty if it was already placed, or has no products. */
function googleCategory(walk: MenuWalk, section: GraphEntity, menu: GraphEntity, depth: number): object[] {
  const { context, placed } = walk;
  const { graph, notes } = context;
  const before = placed.get(section.label);
  if (before === menu.label) notes.warn(section.label, '', 'expected in one place of its menu; left out of this one');
  if (before !== undefined || !context.takePlace(section)) return [];
  if (depth > FEED_LIMITS.categoryDepth) {
    notes.fault(section.label, '', `expected at most ${FEED_LIMITS.categoryDepth} levels of sections`);
    return [];
  }
  placed.set(section.label, menu.label);
  const products = googleProducts(walk, section);
  const below = graph.below(section, 'MenuSection').flatMap((one) => googleCategory(walk, one, menu, depth + 1));
  if (products.length === 0 && below.length === 0) return [];
  const id = walk.categoryIds.place(section.id, menu.id);
  const name = firstText(section, 'name');
  const hours = availabilityOf(context, section);
  if (below.length === 0) return [notes.from(section.label, { id, name, hours, products })];
  // A category has either products or subcategories: if a section has both, its products get a subcategory of its name.
  const own = { id: `${section.id}/items`, name, products };
  const ownCategory = notes.from(section.label, { ...own, id: walk.categoryIds.place(own.id, menu.id) });
  const categories = products.length === 0 ? below : [ownCategory, ...below];
  return [notes.from(section.label, { id, name, hours, categories })];
}

function googleProducts({ context, modesOf, productIds }: MenuWalk, section: GraphEntity): object[] {
  const allowed = modesOf.get(section.label);
  const modes = PRICED_MODES.filter((mode) => allowed?.has(mode));
  return context.graph.below(section, 'MenuItem').flatMap((item) => {
    if (!context.takePlace(item)) return [];
    const product = googleProduct(context, item, productIds.place(item.id, section.id), modes);
    return product ? [product] : [];
  });
}

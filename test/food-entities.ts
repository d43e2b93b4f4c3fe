import { type FoodEntity, readEntity } from '../plugins/google-food/entity.ts';
import { joinStores } from '../plugins/google-food/store-graph.ts';
import { readRestaurant } from '../plugins/google-food/store-value.ts';
import type { FeedLine } from './feed-lines.ts';
import { ADDRESS, type Choice, type Dish, dollars, type Menu, type Section } from './rendered-menus.ts';

/** Entities of Google's relational feed for one restaurant with both services. */
export function foodEntities({ sections }: Menu, id = 'r1'): FeedLine[] {
  const entities: FeedLine[] = [];
  const place = (parent: string, at: number) => ({ '@id': parent, displayOrder: at + 1 });
  const offer = (property: string, of: string, cents: number) =>
    entities.push({
      '@type': 'MenuItemOffer',
      '@id': `${of}/offer`,
      sku: of,
      [property]: of,
      price: cents % 2 === 0 ? cents / 100 : dollars(cents),
      priceCurrency: 'USD',
    });
  const addChoice = (parent: string, one: Choice, at: number) => {
    entities.push({
      '@type': 'MenuSection',
      '@id': one.id,
      name: one.name,
      parentMenuItemId: place(parent, at),
      eligibleQuantityMin: String(one.min),
      ...(one.max === null ? {} : { eligibleQuantityMax: one.max }),
    });
    one.options.forEach((addition, nth) => {
      addItem({ ...addition, description: '', sizes: [] }, one.id, nth);
    });
  };
  const addItem = (one: Dish, parent: string, at: number) => {
    entities.push({
      '@type': 'MenuItem',
      '@id': one.id,
      name: one.name,
      ...(one.description === '' ? {} : { description: one.description }),
      parentMenuSectionId: [place(parent, at)],
    });
    if (one.sizes.length === 0) offer('menuItemId', one.id, one.price);
    one.sizes.forEach((form, nth) => {
      const above = place(one.id, nth);
      entities.push({
        '@type': 'MenuItemOption',
        '@id': form.id,
        optionType: 'SIZE',
        value: form.name,
        menuItemId: above,
      });
      offer('menuItemOptionId', form.id, form.price);
    });
    one.choices.forEach((choice, nth) => {
      addChoice(one.id, choice, nth);
    });
  };
  const addSection = (one: Section, parent: FeedLine) => {
    entities.push({ '@type': 'MenuSection', '@id': one.id, name: one.name, ...parent });
    one.sections.forEach((inner, at) => {
      addSection(inner, { parentMenuSectionId: place(one.id, at) });
    });
    one.dishes.forEach((inner, at) => {
      addItem(inner, one.id, at);
    });
  };
  sections.forEach((one, at) => {
    addSection(one, { menuId: [place(`${id}/menu`, at)] });
  });
  return [...foodStore(id), ...entities];
}

const ALL_DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];

/** A restaurant with delivery and takeout services around the clock; its menu contains no sections. */
export function foodStore(id = 'r1'): FeedLine[] {
  const services = [
    ['DELIVERY', `${id}/delivery`],
    ['TAKEOUT', `${id}/takeout`],
  ];
  return [
    {
      '@type': 'Restaurant',
      '@id': id,
      name: 'Test Kitchen',
      telephone: '+13125550142',
      streetAddress: ADDRESS.street_addr,
      addressLocality: ADDRESS.city,
      addressRegion: ADDRESS.state,
      postalCode: ADDRESS.zipcode,
      addressCountry: 'US',
      latitude: '41.8843',
      longitude: '-87.6484',
    },
    { '@type': 'Menu', '@id': `${id}/menu`, name: 'Menu' },
    ...services.flatMap(([serviceType = '', service = '']) => [
      { '@type': 'Service', '@id': service, serviceType, restaurantId: [id], menuId: `${id}/menu` },
      {
        '@type': 'ServiceHours',
        '@id': `${service}/hours`,
        serviceId: service,
        orderType: 'ASAP',
        opens: '00:00',
        closes: '23:59',
        dayOfWeek: ALL_DAYS,
        leadTimeMin: '20',
        leadTimeMax: 30,
      },
    ]),
  ];
}

export const section = (id: string, more: FeedLine = {}): FeedLine => ({
  '@type': 'MenuSection',
  '@id': id,
  name: id,
  menuId: { '@id': 'r1/menu', displayOrder: 1 },
  ...more,
});
export const item = (id: string, parent: string, more: FeedLine = {}): FeedLine => ({
  '@type': 'MenuItem',
  '@id': id,
  name: id,
  parentMenuSectionId: parent,
  ...more,
});
export const offer = (of: string, price: unknown, more: FeedLine = {}): FeedLine => ({
  '@type': 'MenuItemOffer',
  '@id': `${of}/offer`,
  menuItemId: of,
  price,
  priceCurrency: 'USD',
  ...more,
});
/** A restaurant with one section of one dish, plus the test's entities. */
export const kitchen = (...more: FeedLine[]) => [
  ...foodStore(),
  section('mains'),
  item('soup', 'mains'),
  offer('soup', '4.50'),
  ...more,
];
export const addOns = (id: string, of: string, more: FeedLine = {}) =>
  section(id, { menuId: undefined, parentMenuItemId: of, ...more });

/** Joins a feed's entities in memory, as the import does in its tables. */
export function readJoined(entities: readonly FeedLine[], id = 'r1') {
  const read = entities.flatMap((value): FoodEntity[] => {
    const entity = readEntity(value);
    return entity.ok && entity.entity ? [entity.entity] : [];
  });
  const links = read.flatMap(({ references }) => references);
  return readRestaurant(joinStores(read, links)({ type: 'Restaurant', id }));
}

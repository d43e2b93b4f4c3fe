import type { FeedCategory, FeedCustomization, FeedOption, FeedProduct } from './feed-line.ts';

/** Lower-case letters, digits and hyphens of a name: an id that a person can read. */
export function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

type DishDetails = Partial<Omit<FeedProduct, 'id' | 'name' | 'price' | 'description'>>;

export function dish(name: string, price: number, description: string, details: DishDetails = {}): FeedProduct {
  return { id: slugOf(name), name, description, price, ...details };
}

/** A category of dishes; `hours` are its menu hours in OpenStreetMap syntax. */
export function section(name: string, products: FeedProduct[], hours?: string): FeedCategory {
  return { id: slugOf(name), name, products, ...(hours ? { hours } : {}) };
}

type OptionDetails = Partial<Omit<FeedOption, 'id' | 'name' | 'price'>>;

export function option(id: string, name: string, price = 0, details: OptionDetails = {}): FeedOption {
  return { id, name, price, ...details };
}

/** A required choice of exactly one option; the first option is the default. */
export function oneOf(id: string, name: string, options: FeedOption[]): FeedCustomization {
  const [first, ...others] = options;
  return {
    id,
    name,
    min_choice_options: 1,
    max_choice_options: 1,
    options: first ? [{ default_qty: 1, ...first }, ...others] : [],
  };
}

/** An optional choice of up to `max` options. */
export function upTo(max: number, id: string, name: string, options: FeedOption[]): FeedCustomization {
  return { id, name, min_choice_options: 0, max_choice_options: max, options };
}

/** Exactly `count` different options. */
export function exactly(count: number, id: string, name: string, options: FeedOption[]): FeedCustomization {
  return { id, name, min_choice_options: count, max_choice_options: count, options };
}

/** Options of one price; `prefix` makes their ids unique within the product. */
export function plainOptions(prefix: string, names: readonly string[], price = 0): FeedOption[] {
  return names.map((name) => option(`${prefix}-${slugOf(name)}`, name, price));
}

export function softDrinks(): FeedCategory {
  const size = oneOf('size', 'Size', [option('regular', 'Regular'), option('large', 'Large', 75)]);
  return section('Drinks', [
    dish('Fountain soda', 250, 'Cola, lemon-lime, root beer or ginger ale.', {
      customizations: [
        size,
        oneOf('flavor', 'Flavor', plainOptions('f', ['Cola', 'Lemon-lime', 'Root beer', 'Ginger ale'])),
      ],
    }),
    dish('Iced tea', 275, 'Brewed every morning.', {
      customizations: [size, oneOf('sweet', 'Sweetness', plainOptions('s', ['Unsweetened', 'Half sweet', 'Sweet']))],
    }),
    dish('Sparkling water', 225, 'A cold can.', { unit_size: 12, unit_of_measurement: 'fl oz' }),
  ]);
}

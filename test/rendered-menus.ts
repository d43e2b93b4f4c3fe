import fc from 'fast-check';
import type { FeedLine } from './feed-lines.ts';

/** A modifier group that every format can express: options are additions, or variants of the whole item. */
export type Choice = { id: string; name: string; min: number; max: number | null; options: Addition[] };
export type Addition = { id: string; name: string; price: number; choices: Choice[] };
export type Dish = {
  id: string;
  name: string;
  description: string;
  price: number;
  sizes: Addition[];
  choices: Choice[];
};
export type Section = { id: string; name: string; sections: Section[]; dishes: Dish[] };

export type Menu = { sections: Section[] };

const name = fc.stringMatching(/^[A-Z][a-zA-Z 'é&]{0,20}[a-z]$/);
const price = fc.integer({ min: 0, max: 99_999 });
const description = fc.stringMatching(/^[a-z][a-z ,"\\<>]{0,30}[a-z]$/);

const choice = (depth: number): fc.Arbitrary<Choice> =>
  fc
    .record({
      name,
      min: fc.nat(2),
      more: fc.option(fc.nat(3)),
      options: fc.array(addition(depth), { minLength: 1, maxLength: 4 }),
    })
    .map(({ min, more, ...rest }) => {
      const least = Math.min(min, rest.options.length);
      return { id: '', ...rest, min: least, max: more === null ? null : Math.max(1, least + more) };
    });
const addition = (depth: number): fc.Arbitrary<Addition> =>
  fc.record({
    id: fc.constant(''),
    name,
    price,
    choices: depth === 0 ? fc.constant([]) : fc.array(choice(depth - 1), { maxLength: 1 }),
  });
const size = fc.record({ id: fc.constant(''), name, price, choices: fc.constant<Choice[]>([]) });
const dish: fc.Arbitrary<Dish> = fc.record({
  id: fc.constant(''),
  name,
  description,
  price,
  sizes: fc.oneof(fc.constant<Addition[]>([]), fc.array(size, { minLength: 2, maxLength: 3 })),
  choices: fc.array(choice(2), { maxLength: 2 }),
});
const section = (depth: number): fc.Arbitrary<Section> => {
  const leaf = fc.record({
    id: fc.constant(''),
    name,
    sections: fc.constant<Section[]>([]),
    dishes: fc.array(dish, { minLength: 1, maxLength: 3 }),
  });
  if (depth === 0) return leaf;
  const inner = fc.record({
    id: fc.constant(''),
    name,
    sections: fc.array(section(depth - 1), { minLength: 1, maxLength: 2 }),
    dishes: fc.constant<Dish[]>([]),
  });
  return fc.oneof(leaf, inner);
};

export const anyMenu: fc.Arbitrary<Menu> = fc.array(section(2), { minLength: 1, maxLength: 3 }).map((sections) => {
  let count = 0;
  const nextId = () => {
    count += 1;
    return `urn:m:${count}`;
  };
  const numbered = <T>(value: T): T => {
    if (Array.isArray(value)) return value.map(numbered) as T;
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => [key, key === 'id' ? nextId() : numbered(inner)]);
    return Object.fromEntries(entries) as T;
  };
  return { sections: numbered(sections) };
});

export const ADDRESS = { street_addr: '1 Main St', city: 'Chicago', state: 'IL', zipcode: '60607', country: 'US' };

export const dollars = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
const lowest = ({ price: own, sizes }: Dish) => (sizes.length === 0 ? own : Math.min(...sizes.map((one) => one.price)));

/** The categories of a store line (docs/feeds.md). `sizeGroup` is the format's name for the choice of sizes. */
export function feedCategories({ sections }: Menu, sizeGroup: { id: string; name: string }, counts = true): FeedLine[] {
  const option = ({ id, name: title, price: cents, choices }: Addition): FeedLine => ({
    id,
    name: title,
    price: cents,
    customizations: choices.map(customization),
  });
  const customization = ({ id, name: title, min, max, options }: Choice): FeedLine => ({
    id,
    name: title,
    ...(counts ? { min_choice_options: min, ...(max === null ? {} : { max_choice_options: max }) } : {}),
    options: options.map(option),
  });
  const product = (one: Dish): FeedLine => {
    const base = lowest(one);
    const options = one.sizes.map((form) => option({ ...form, price: form.price - base }));
    const forms = { ...sizeGroup, min_choice_options: 1, max_choice_options: 1, options };
    const customizations = [...(options.length > 0 ? [forms] : []), ...one.choices.map(customization)];
    return { id: one.id, name: one.name, description: one.description, price: base, customizations };
  };
  const category = (one: Section): FeedLine => ({
    id: one.id,
    name: one.name,
    ...(one.sections.length > 0 ? { categories: one.sections.map(category) } : { products: one.dishes.map(product) }),
  });
  return sections.map(category);
}

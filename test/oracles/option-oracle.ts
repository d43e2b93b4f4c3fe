/**
 * The option rules as plain statements about flat lists, with brute force for "cheapest" and "possible". Shares no code
 * with the service.
 */
import fc from 'fast-check';
import type { Customization, Option } from '../../src/supply/catalog/product.ts';
import type { ChosenCustomization } from '../../src/supply/pricing/price-order.ts';
import { type OracleOption, unitOf } from './price-oracle.ts';

export type FlatCustomization = {
  id: string;
  parent: string | null;
  min: number;
  max: number;
  minUnits: number | null;
  maxUnits: number | null;
};
export type FlatOption = {
  id: string;
  customization: string;
  price: number;
  defaultQty: number;
  minQty: number;
  maxQty: number;
  conditional: Record<string, number>;
};
export type FlatProduct = { customizations: FlatCustomization[]; options: FlatOption[] };
export type Picks = ReadonlyMap<string, number>;

const optionSeeds = fc.record({
  price: fc.constantFrom(0, 0, 50, 100, 125, 300, 700),
  defaultQty: fc.constantFrom(0, 0, 0, 1, 2),
  minQty: fc.constantFrom(0, 0, 0, 1, 2),
  maxQty: fc.constantFrom(1, 1, 1, 2, 3, 0),
  conditional: fc.option(
    fc.dictionary(fc.constantFrom('o0', 'o1', 'o2', 'o3', 'o5', 'o7'), fc.nat({ max: 400 }), { maxKeys: 2 }),
    { freq: 3 },
  ),
});

/** Random products with a maximum number of options and maximum nesting depth. */
export const products = (maxCustomizations: number, maxOptions: number): fc.Arbitrary<FlatProduct> =>
  fc
    .array(
      fc.record({
        parentSeed: fc.nat({ max: 30 }),
        min: fc.constantFrom(0, 1, 1, 2),
        max: fc.constantFrom(1, 1, 2, 2, 3, 0),
        minUnits: fc.constantFrom(null, null, null, 0, 1, 2, 3, 4),
        maxUnits: fc.constantFrom(null, null, null, 1, 2, 3, 4, 5),
        options: fc.array(optionSeeds, { maxLength: 4 }),
      }),
      { maxLength: maxCustomizations },
    )
    .map((seeds) => {
      const product: FlatProduct = { customizations: [], options: [] };
      for (const { parentSeed, options, ...limits } of seeds) {
        const id = `c${product.customizations.length}`;
        const parent = product.options[parentSeed % (product.options.length + 1)]?.id ?? null;
        product.customizations.push({ id, parent, ...limits });
        for (const { conditional, ...seed } of options.slice(0, maxOptions - product.options.length)) {
          product.options.push({
            ...seed,
            id: `o${product.options.length}`,
            customization: id,
            conditional: conditional ?? {},
          });
        }
      }
      return product;
    });

/** The nested form of the flat product. */
export function treeOf(product: FlatProduct, parent: string | null = null): Customization[] {
  return product.customizations
    .filter((customization) => customization.parent === parent)
    .map(({ id, min, max, minUnits, maxUnits }) => ({
      id,
      name: `name of ${id}`,
      minChoiceOptions: min,
      maxChoiceOptions: max,
      ...(minUnits === null ? {} : { minTotalUnits: minUnits }),
      ...(maxUnits === null ? {} : { maxTotalUnits: maxUnits }),
      options: product.options
        .filter((option) => option.customization === id)
        .map(({ customization: _, conditional, ...option }) => ({
          ...option,
          name: `name of ${option.id}`,
          conditionalPrice: conditional,
          customizations: treeOf(product, option.id),
        })),
    }));
}

const parentOf = (product: FlatProduct, option: FlatOption): string | null =>
  product.customizations.find(({ id }) => id === option.customization)?.parent ?? null;

function isReached(product: FlatProduct, picks: Picks, parent: string | null): boolean {
  if (parent === null) return true;
  const option = product.options.find(({ id }) => id === parent);
  return option !== undefined && picks.has(parent) && isReached(product, picks, parentOf(product, option));
}

/** Every fault of a selection as sorted codes, such as `too_few_options c1`. */
export function faultsOf(product: FlatProduct, picks: Picks): string[] {
  const faults: string[] = [];
  for (const [id, quantity] of picks) {
    const option = product.options.find((known) => known.id === id);
    if (!option) faults.push(`unknown_option ${id}`);
    else if (!isReached(product, picks, parentOf(product, option))) faults.push(`unreached_option ${id}`);
    else if (quantity < option.minQty || quantity > option.maxQty) faults.push(`quantity_out_of_bounds ${id}`);
  }
  const reached = product.customizations.filter(({ parent }) => isReached(product, picks, parent));
  for (const { id, min, max, minUnits, maxUnits } of reached) {
    const own = product.options.filter((option) => option.customization === id);
    const quantities = own.flatMap((option) => picks.get(option.id) ?? []);
    const units = quantities.reduce((sum, quantity) => sum + quantity, 0);
    if (quantities.length < min) faults.push(`too_few_options ${id}`);
    if (quantities.length > max) faults.push(`too_many_options ${id}`);
    if (units < (minUnits ?? units)) faults.push(`too_few_units ${id}`);
    if (units > (maxUnits ?? units)) faults.push(`too_many_units ${id}`);
  }
  return faults.sort();
}

/** A unit's price above the base price, by the pricing oracle. */
export function choicesCents(product: FlatProduct, picks: Picks): number {
  const chosen = product.options.filter(({ id }) => picks.has(id));
  const options: OracleOption[] = chosen.map((option) => {
    const parent = parentOf(product, option);
    const index = chosen.findIndex(({ id }) => id === parent);
    return {
      id: option.id,
      parent: index < 0 ? null : index,
      price: BigInt(option.price),
      quantity: BigInt(picks.get(option.id) ?? 0),
      marked: null,
      conditional: Object.entries(option.conditional).map(([key, cents]) => [key, BigInt(cents)]),
    };
  });
  return Number(unitOf({ price: 0n, quantity: 1n, marked: null, options }));
}

/**
 * Every valid selection that keeps the given picks. Where a group limits units, its options have every quantity, else
 * their least.
 */
export function* validCompletions(product: FlatProduct, given: Picks = new Map()): Generator<Picks> {
  const free = product.options.filter(({ id }) => !given.has(id));
  for (const picks of completionsOf(product, free, given)) {
    if (faultsOf(product, picks).length === 0) yield picks;
  }
}

function* completionsOf(product: FlatProduct, free: readonly FlatOption[], picks: Picks): Generator<Picks> {
  const [option, ...others] = free;
  if (!option) return yield picks;
  yield* completionsOf(product, others, picks);
  const group = product.customizations.find(({ id }) => id === option.customization);
  const least = Math.max(option.minQty, 1);
  const most = group?.minUnits == null ? least : option.maxQty;
  for (let quantity = least; quantity <= most; quantity++) {
    yield* completionsOf(product, others, new Map([...picks, [option.id, quantity]]));
  }
}

/** The chosen options with their quantities, nested ones too. */
export function picked(customizations: readonly ChosenCustomization[]): [string, number][] {
  return customizations.flatMap(({ options }) =>
    options.flatMap((option): [string, number][] => [[option.id, option.quantity], ...picked(option.customizations)]),
  );
}

/** A customization of `min` to `max` of its options. */
export const ask = (id: string, min: number, max: number, options: Option[]): Customization => ({
  id,
  name: id,
  minChoiceOptions: min,
  maxChoiceOptions: max,
  options,
});

/** Random selections for a random product: half of them mostly valid, all of them sometimes invalid. */
import fc from 'fast-check';
import type { FlatOption, FlatProduct } from './option-oracle.ts';

export type Selection = { optionId: string; quantity?: number }[];

const seeds = fc.record({
  careful: fc.boolean(),
  codes: fc.array(fc.nat({ max: 9 }), { minLength: 14, maxLength: 14 }),
  junk: fc.array(fc.constantFrom('nope', 'o0', 'o1', 'o4', '__proto__'), { maxLength: 1 }),
  junkQuantity: fc.nat({ max: 2 }),
});

function entryOf(option: FlatOption, code: number, careful: boolean): Selection {
  if (code < 4) return [];
  if (code === 4) return [{ optionId: option.id }];
  const quantity = code - 6;
  if (!careful) return [{ optionId: option.id, quantity }];
  return [{ optionId: option.id, quantity: Math.min(Math.max(quantity, option.minQty), option.maxQty) }];
}

export const selections = (products: fc.Arbitrary<FlatProduct>): fc.Arbitrary<[FlatProduct, Selection]> =>
  fc.tuple(products, seeds).map(([product, { careful, codes, junk, junkQuantity }]) => {
    const selection: Selection = [];
    for (const [index, option] of product.options.entries()) {
      const parent = product.customizations.find(({ id }) => id === option.customization)?.parent ?? null;
      const reached =
        parent === null || selection.some(({ optionId, quantity }) => optionId === parent && quantity !== 0);
      if (reached || !careful) selection.push(...entryOf(option, codes[index] ?? 0, careful));
    }
    if (!careful) selection.push(...junk.map((optionId) => ({ optionId, quantity: junkQuantity })));
    return [product, selection];
  });

/** Chosen quantities without zeros; the first entry of a repeated option counts. */
export function picksOf(selection: Selection): Map<string, number> {
  const picks = new Map<string, number>();
  for (const { optionId, quantity = 1 } of selection) {
    if (quantity !== 0 && !picks.has(optionId)) picks.set(optionId, quantity);
  }
  return picks;
}

/** Options listed more than once with a quantity. */
export function repeatedIn(selection: Selection): string[] {
  const ids = selection.filter(({ quantity }) => quantity !== 0).map(({ optionId }) => optionId);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

/** What kind of thing a product is for taxes; `general` is anything that is not food. */
export const TAX_CLASSES = [
  'prepared_food',
  'grocery',
  'candy',
  'soft_drink',
  'alcohol',
  'supplement',
  'general',
  'exempt',
] as const;

export type TaxClass = (typeof TAX_CLASSES)[number];

/** A class as a number for indexes; 0: none of its own. */
export function taxCodeOf(taxClass: TaxClass | null): number {
  return taxClass === null ? 0 : 1 + TAX_CLASSES.indexOf(taxClass);
}

/** The class of a code, or the store's default. */
export function taxClassOfCode(code: number, storeClass: TaxClass): TaxClass {
  return TAX_CLASSES[code - 1] ?? storeClass;
}

/** SQL for the code of a column with a class. */
export const taxCodeSql = (column: string): string =>
  `coalesce(array_position(array[${TAX_CLASSES.map((one) => `'${one}'`).join(', ')}], ${column}), 0)`;

export function taxClassOf(text: unknown): TaxClass | null {
  return TAX_CLASSES.find((known) => known === text) ?? null;
}

/** The class of what a store sells where nothing else says one. */
export const DEFAULT_TAX_CLASSES = { restaurant: 'prepared_food', grocery: 'grocery' } as const satisfies Record<
  string,
  TaxClass
>;

/** Own classes of a product or option come first; alcohol needs no class to be known as such. */
export function ownTaxClass(product: { taxClass?: TaxClass | null; isAlcoholic: boolean }): TaxClass | null {
  return product.taxClass ?? (product.isAlcoholic ? 'alcohol' : null);
}

/** The kinds of products for taxes; `general` is anything except food. */
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

/** The class of a code, a number for indexes; of 0 the store's default. */
export const taxClassOfCode = (code: number, storeClass: TaxClass): TaxClass => TAX_CLASSES[code - 1] ?? storeClass;

/** SQL for the code of a column with a class. */
export const taxCodeSql = (column: string): string =>
  `coalesce(array_position(array[${TAX_CLASSES.map((one) => `'${one}'`).join(', ')}], ${column}), 0)`;

export const taxClassOf = (text: unknown): TaxClass | null => TAX_CLASSES.find((known) => known === text) ?? null;

/** The class of a store's products that have no other. */
export const DEFAULT_TAX_CLASSES = { restaurant: 'prepared_food', grocery: 'grocery' } as const satisfies Record<
  string,
  TaxClass
>;

/**
 * Whether something is alcohol, for taxes, age, ID, substitutes, couriers, tickets, agents and sale hours. Classes
 * in force are a product's own, its category's or its store's, and a line's chosen options'.
 */
export function isAlcohol({ isAlcoholic }: { isAlcoholic: boolean }, inForce: readonly (TaxClass | null)[]): boolean {
  return isAlcoholic || inForce.includes('alcohol');
}

/** SQL for `isAlcohol` of a product by its flag and its class in force. */
export const isAlcoholSql = (isAlcoholic: string, inForce: string): string =>
  `(${isAlcoholic} or ${inForce} = 'alcohol')`;

/** A product's or option's own classes come first; alcohol needs no class to be known as such. */
export function ownTaxClass(product: { taxClass?: TaxClass | null; isAlcoholic: boolean }): TaxClass | null {
  return product.taxClass ?? (product.isAlcoholic ? 'alcohol' : null);
}

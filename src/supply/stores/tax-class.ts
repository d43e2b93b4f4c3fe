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

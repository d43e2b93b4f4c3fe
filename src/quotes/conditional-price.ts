/** Cents that replace an option's own price, by the id of the other option that must be chosen too. */
export type ConditionalPrice = Readonly<Record<string, number>>;

/**
 * The conditional price of an option in cents: the highest conditional price whose other option is chosen in the same
 * item; undefined when the option's own price holds.
 */
export function conditionalPriceCents(
  option: { id: string; conditionalPrice: ConditionalPrice },
  chosenIds: ReadonlySet<string>,
): number | undefined {
  let highest: number | undefined;
  for (const [otherId, cents] of Object.entries(option.conditionalPrice)) {
    const applies = otherId !== option.id && chosenIds.has(otherId);
    if (applies && (highest === undefined || cents > highest)) highest = cents;
  }
  return highest;
}

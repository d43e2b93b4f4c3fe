import { type ConditionalPrice, conditionalPriceCents } from './conditional-price.ts';
import { withinOrderLimit } from './order-limit.ts';

/** An option a customer chose. Quantities are per unit of what it is nested in; prices are cents per unit chosen. */
export type ChosenOption = {
  id: string;
  name: string;
  priceCents: number;
  conditionalPrice: ConditionalPrice;
  defaultQty: number;
  quantity: number;
  /** What a receipt shows instead of the price, where the order asks for marked prices; null keeps the price. */
  markedPriceCents: number | null;
  customizations: readonly ChosenCustomization[];
};

/** A customization with the options chosen from it: at least one, in the menu's order. */
export type ChosenCustomization = { id: string; name: string; options: readonly ChosenOption[] };

/** One item of an order. */
export type OrderLine = {
  priceCents: number;
  quantity: number;
  /** What a receipt shows instead of the product's base price; null keeps it. */
  markedPriceCents: number | null;
  customizations: readonly ChosenCustomization[];
};

/** A chosen option with the price that counts, conditional prices applied, and the one that a receipt shows. */
export type PricedOption = {
  id: string;
  name: string;
  defaultQty: number;
  quantity: number;
  priceCents: number;
  markedPriceCents: number;
  customizations: readonly PricedCustomization[];
};

export type PricedCustomization = { id: string; name: string; options: readonly PricedOption[] };

/** One unit of an item: what it costs, what a receipt shows, and the options that make the difference. */
export type PricedUnit = {
  unitCents: number;
  markedUnitCents: number;
  customizations: readonly PricedCustomization[];
};

function collectIds(customizations: readonly ChosenCustomization[], ids: Set<string>): Set<string> {
  for (const customization of customizations) {
    for (const option of customization.options) {
      ids.add(option.id);
      collectIds(option.customizations, ids);
    }
  }
  return ids;
}

/**
 * Price of one unit: the base price, and every chosen option as often as all it is nested in multiply it.
 * Without `pricesMarked` the marked amounts equal the others. Throws Refusal `invalid_request` over the order limit.
 */
export function priceUnit(line: OrderLine, pricesMarked: boolean): PricedUnit {
  const chosenIds = collectIds(line.customizations, new Set());
  let unitCents = withinOrderLimit(line.priceCents);
  let markedUnitCents = withinOrderLimit((pricesMarked ? line.markedPriceCents : null) ?? line.priceCents);

  const priceOption = (option: ChosenOption, times: number): PricedOption => {
    const { id, name, defaultQty, quantity } = option;
    const priceCents = conditionalPriceCents(option, chosenIds) ?? option.priceCents;
    const markedPriceCents = (pricesMarked ? option.markedPriceCents : null) ?? priceCents;
    unitCents = withinOrderLimit(unitCents + priceCents * times);
    markedUnitCents = withinOrderLimit(markedUnitCents + markedPriceCents * times);
    const customizations = priceOptions(option.customizations, times);
    return { id, name, defaultQty, quantity, priceCents, markedPriceCents, customizations };
  };
  const priceOptions = (customizations: readonly ChosenCustomization[], times: number): PricedCustomization[] =>
    customizations.map(({ id, name, options }) => ({
      id,
      name,
      options: options.map((option) => priceOption(option, option.quantity * times)),
    }));

  const customizations = priceOptions(line.customizations, 1);
  return { unitCents, markedUnitCents, customizations };
}

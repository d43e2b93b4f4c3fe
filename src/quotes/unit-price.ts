import { type ConditionalPrice, conditionalPriceCents } from './conditional-price.ts';
import { withinOrderLimit } from './order-limit.ts';

/** A chosen option. Its quantity counts per unit of the parent option or item; its price is cents per unit chosen. */
export type ChosenOption = {
  id: string;
  name: string;
  priceCents: number;
  conditionalPrice: ConditionalPrice;
  defaultQty: number;
  quantity: number;
  /** The price on a receipt with marked prices; null keeps the option's price. */
  markedPriceCents: number | null;
  customizations: readonly ChosenCustomization[];
};

/** A customization with the options chosen from it: at least one, in the menu's order. */
export type ChosenCustomization = { id: string; name: string; options: readonly ChosenOption[] };

/** One item of an order. */
export type OrderLine = {
  priceCents: number;
  quantity: number;
  /** The base price on a receipt with marked prices; null keeps the product's price. */
  markedPriceCents: number | null;
  customizations: readonly ChosenCustomization[];
};

/** A chosen option with its price after conditional prices, and its price on the receipt. */
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

/** One unit of an item: its price, its price on the receipt, and its options. */
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
 * Price of one unit: the base price plus every chosen option times its quantity and the quantities of its parents.
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

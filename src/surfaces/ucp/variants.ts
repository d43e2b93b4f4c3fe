import { hash } from 'node:crypto';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { openProduct, type ProductRef, sealProduct } from '../../supply/catalog/catalog-tokens.ts';
import type { CatalogProduct, Customization, Option } from '../../supply/catalog/product.ts';

/**
 * Products as the protocol sells them: an item is one ID, with nothing to choose alongside it. A product without
 * required choices is one variant under its own ID; of required single choices each combination is a variant. Choices
 * that the protocol cannot express, such as several of one group, are made on the product's page.
 */

/** A choice by name. */
export type Choice = { name: string; label: string };
export type Variant = {
  id: string;
  choices: readonly Choice[];
  options: readonly SelectedOption[];
  extraCents: number;
};
export type SelectedOption = { optionId: string; name: string; quantity: number };

/** The variants of a product that can be sold. */
export type Sold = {
  groups: readonly { name: string; labels: readonly string[] }[];
  variants: readonly Variant[];
  /** Whether its required choices are made as the store makes them by default. */
  isByDefault: boolean;
};

const MAX_GROUPS = 3;
const MAX_VARIANTS = 50;

type ChosenProduct = Pick<CatalogProduct, 'storeId' | 'productNo' | 'customizations'>;

/** Undefined for a product with required choices that the protocol cannot express. */
export function soldOf(tokens: TokenSealer, product: ChosenProduct): Sold | undefined {
  const required = product.customizations.filter(isRequired);
  const id = sealProduct(tokens, product);
  if (required.length === 0) {
    return { groups: [], variants: [{ id, choices: [], options: [], extraCents: 0 }], isByDefault: false };
  }
  const combinations = required.every(isSingleChoice) && required.length <= MAX_GROUPS ? combine(required) : [];
  if (combinations.length > 0 && combinations.length <= MAX_VARIANTS) {
    const variants = combinations.map((chosen): Variant => {
      const options = chosen.map(({ option }) => ({ optionId: option.id, name: option.name, quantity: 1 }));
      return {
        id: sealVariant(tokens, product, options),
        choices: chosen.map(({ group, option }) => ({ name: group.name, label: option.name })),
        options,
        extraCents: chosen.reduce((sum, { option }) => sum + option.price, 0),
      };
    });
    const groups = required.map(({ name, options }) => ({ name, labels: options.map((option) => option.name) }));
    return { groups, variants, isByDefault: false };
  }
  const defaults = defaultsOf(required);
  return defaults && { groups: [], variants: [{ id, choices: [], ...defaults }], isByDefault: true };
}

function isRequired({ minChoiceOptions, minTotalUnits = 0 }: Customization): boolean {
  return minChoiceOptions > 0 || minTotalUnits > 0;
}

/** Whether exactly one option is chosen, once, at a price of its own. */
function isSingleChoice({ minChoiceOptions, maxChoiceOptions, minTotalUnits, maxTotalUnits, options }: Customization) {
  const isOne = minChoiceOptions === 1 && maxChoiceOptions === 1 && (minTotalUnits ?? 1) <= 1;
  const names = new Set(options.map(({ name }) => name));
  return isOne && (maxTotalUnits ?? 1) >= 1 && names.size === options.length && options.every(isPlain);
}

const isPlain = ({ minQty, conditionalPrice, customizations }: Option) =>
  minQty <= 1 && Object.keys(conditionalPrice).length === 0 && !customizations.some(isRequired);

type Chosen = { group: Customization; option: Option };

/** Every combination of one option each; none beyond the maximum. */
function combine(groups: readonly Customization[]): Chosen[][] {
  const count = groups.reduce((product, { options }) => product * options.length, 1);
  if (count > MAX_VARIANTS) return [];
  return groups.reduce<Chosen[][]>(
    (before, group) => before.flatMap((chosen) => group.options.map((option) => [...chosen, { group, option }])),
    [[]],
  );
}

/** The default options of required groups; undefined unless they fulfill each of them. */
function defaultsOf(groups: readonly Customization[]): Pick<Variant, 'options' | 'extraCents'> | undefined {
  const options: SelectedOption[] = [];
  let extraCents = 0;
  for (const { options: offered, minChoiceOptions, maxChoiceOptions, minTotalUnits, maxTotalUnits } of groups) {
    const chosen = offered.filter(({ defaultQty }) => defaultQty > 0);
    const units = chosen.reduce((sum, { defaultQty }) => sum + defaultQty, 0);
    const fits = chosen.length >= minChoiceOptions && chosen.length <= maxChoiceOptions;
    const fitsUnits = units >= (minTotalUnits ?? 0) && units <= (maxTotalUnits ?? units);
    if (!fits || !fitsUnits || !chosen.every((option) => isPlain({ ...option, minQty: 1 }))) return undefined;
    options.push(...chosen.map(({ id, name, defaultQty }) => ({ optionId: id, name, quantity: defaultQty })));
    extraCents += chosen.reduce((sum, { price, defaultQty }) => sum + price * defaultQty, 0);
  }
  return { options, extraCents };
}

const PREFIX = 'v1.';
const DIGEST_BYTES = 8;
const REF_BYTES = 16;

/** An ID that needs no table, and ends when one of its options does. */
function sealVariant(tokens: TokenSealer, product: ProductRef, options: readonly SelectedOption[]): string {
  const ids = options.map(({ optionId }) => optionId).toSorted();
  const digest = hash('sha256', JSON.stringify(ids), 'buffer').subarray(0, DIGEST_BYTES);
  const number = Buffer.alloc(REF_BYTES);
  number.write(product.storeId, 'hex');
  number.writeUInt32BE(product.productNo, REF_BYTES - 4);
  return PREFIX + tokens.seal('variant', Buffer.concat([number, digest]));
}

/** The product of an item's ID, which is its own or a variant's; undefined for any other text. */
export function openItem(tokens: TokenSealer, id: string): ProductRef | undefined {
  if (!id.startsWith(PREFIX)) return openProduct(tokens, id);
  const payload = tokens.open('variant', id.slice(PREFIX.length));
  if (payload?.length !== REF_BYTES + DIGEST_BYTES) return undefined;
  return { storeId: payload.toString('hex', 0, REF_BYTES - 4), productNo: payload.readUInt32BE(REF_BYTES - 4) };
}

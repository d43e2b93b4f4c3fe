import fc from 'fast-check';
import type { ChosenOption, OrderLine, OrderToPrice } from '../../src/supply/pricing/price-order.ts';
import { type TaxClass, taxClassOf } from '../../src/supply/stores/tax-class.ts';
import type {
  OracleCart,
  OracleDelivery,
  OracleFee,
  OracleLine,
  OracleOption,
  OracleService,
  OracleSmall,
} from './price-oracle.ts';

/** Random orders, in the oracle's flat shape and converted to the pricing shape. */

const MAX_DEPTH = 5;

export const cents = (max: number) => fc.integer({ min: 0, max }).map(BigInt);
/** Up to 400 %, so that no random order reaches the order limit. */
const percents = fc.oneof(
  fc.constantFrom('0', '9.975', '8.875', '14.975', '5', '10', '12.5', '0.5', '1e-7'),
  fc
    .tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 2, max: 12 }))
    .map(([n, places]) => `${n}e-${places}`),
);
export const services: fc.Arbitrary<OracleService> = fc.record({
  flat: cents(300),
  percent: percents,
  min: cents(500),
  max: fc.option(cents(1500)),
  taxable: fc.boolean(),
});

/** Few, so that lines share one. */
const taxClasses = fc.constantFrom<TaxClass>('grocery', 'candy', 'exempt');

const optionSeeds = fc.record({
  parentSeed: fc.nat({ max: 20 }),
  price: cents(700),
  quantity: fc.integer({ min: 1, max: 3 }).map(BigInt),
  marked: fc.option(cents(900)),
  conditional: fc.array(fc.tuple(fc.nat({ max: 9 }), cents(800)), { maxLength: 2 }),
  taxClass: fc.option(taxClasses, { freq: 1 }),
});

function depthOf(options: OracleOption[], option: OracleOption): number {
  const parent = option.parent === null ? undefined : options[option.parent];
  return parent ? 1 + depthOf(options, parent) : 1;
}

const options = fc.array(optionSeeds, { maxLength: 7 }).map((seeds) => {
  const list: OracleOption[] = [];
  for (const { parentSeed, conditional, ...seed } of seeds) {
    const pick = parentSeed % (list.length + 1);
    const parent = list[pick] && depthOf(list, list[pick]) < MAX_DEPTH ? pick : null;
    // JSON keeps the last of duplicate keys.
    const prices = new Map(conditional.map(([key, price]) => [`o${key}`, price]));
    list.push({ ...seed, id: `o${list.length}`, parent, conditional: [...prices] });
  }
  return list;
});

export const cartLines: fc.Arbitrary<OracleLine> = fc.record({
  price: cents(6000),
  quantity: fc.integer({ min: 1, max: 99 }).map(BigInt),
  marked: fc.option(cents(8000)),
  options,
  taxClass: taxClasses,
});

export const deliveries: fc.Arbitrary<OracleDelivery> = fc.record({
  flat: cents(900),
  percent: percents,
  taxable: fc.boolean(),
  thresholds: fc.array(fc.record({ flat: cents(500), percent: percents, minimum: cents(60_000) }), { maxLength: 3 }),
});

export const smalls: fc.Arbitrary<OracleSmall> = fc.record({
  flat: cents(400),
  percent: percents,
  minimum: cents(40_000),
});

/** Rates of one tax, each on classes of its own. */
const RATE_CLASSES = [['grocery'], ['candy', 'general'], ['alcohol']];
const ratesOfOneTax = fc.array(
  fc.integer({ min: 0, max: 30_000_000 }).map((millionths) => `${millionths}e-6`),
  { minLength: RATE_CLASSES.length, maxLength: RATE_CLASSES.length },
);

const plainCarts: fc.Arbitrary<OracleCart> = fc.record({
  pickup: fc.boolean(),
  lines: fc.array(cartLines, { maxLength: 3 }),
  delivery: deliveries,
  slot: fc.option(fc.record({ flat: cents(900), percent: percents, taxable: fc.boolean() })),
  service: services,
  pickupService: fc.option(services),
  small: smalls,
  taxPercent: percents,
  namedTaxes: fc.option(fc.array(percents, { minLength: 1, maxLength: 8 }), { freq: 1 }),
  taxClasses: fc.array(fc.option(fc.constantFrom(['grocery'], ['candy', 'general'], ['alcohol'])), {
    minLength: 8,
    maxLength: 8,
  }),
  tip: cents(3000),
  pricesMarked: fc.boolean(),
  added: fc.record({ flat: cents(500), percent: percents, taxable: fc.boolean() }),
  misc: fc.array(cents(500), { maxLength: 3 }),
});

/** In half of the carts with named taxes the first ones are rates of one tax. */
export const carts: fc.Arbitrary<OracleCart> = fc
  .tuple(plainCarts, fc.option(ratesOfOneTax, { freq: 1 }))
  .map(([cart, rates]) => {
    if (!rates || !cart.namedTaxes) return cart;
    const taxClasses = [...RATE_CLASSES, ...(cart.taxClasses ?? []).slice(0, 5)];
    return { ...cart, namedTaxes: [...rates, ...cart.namedTaxes.slice(0, 5)], taxClasses, ratesOfFirst: rates.length };
  });

/** The name of a cart's tax by its position. */
export const taxName = ({ ratesOfFirst = 1 }: Pick<OracleCart, 'ratesOfFirst'>, at: number): string =>
  at < ratesOfFirst ? 'T0' : `T${at}`;

function chosenOption(list: OracleOption[], index: number): ChosenOption {
  const { id, price, quantity, marked, conditional, taxClass } = list[index] as OracleOption;
  return {
    id,
    name: id,
    defaultQty: 0,
    priceCents: Number(price),
    quantity: Number(quantity),
    markedPriceCents: marked === null ? null : Number(marked),
    conditionalPrice: Object.fromEntries(conditional.map(([key, value]) => [key, Number(value)])),
    ...(taxClass ? { taxClass: taxClassOf(taxClass) ?? 'general' } : {}),
    customizations: chosenUnder(list, index),
  };
}

function chosenUnder(list: OracleOption[], parent: number | null): OrderLine['customizations'] {
  const nested = list.flatMap((option, index) => (option.parent === parent ? [chosenOption(list, index)] : []));
  return nested.length === 0 ? [] : [{ id: `c${parent}`, name: 'c', options: nested }];
}

const feeOf = ({ flat, percent }: OracleFee) => ({ flatCents: Number(flat), percent: Number(percent) });
export const serviceOf = (fee: OracleService) => ({
  ...feeOf(fee),
  minCents: Number(fee.min),
  maxCents: fee.max === null ? null : Number(fee.max),
  taxable: fee.taxable,
});

export const smallOf = (small: OracleSmall) => ({ ...feeOf(small), minimumOrderCents: Number(small.minimum) });
export const deliveryFeeOf = (delivery: OracleDelivery) => ({
  ...feeOf(delivery),
  taxable: delivery.taxable,
  thresholds: delivery.thresholds.map((entry) => ({ ...feeOf(entry), minimumSubtotalCents: Number(entry.minimum) })),
});
export function lineOf({ price, quantity, marked, options: list, taxClass }: OracleLine): OrderLine {
  return {
    priceCents: Number(price),
    quantity: Number(quantity),
    markedPriceCents: marked === null ? null : Number(marked),
    taxClass: taxClassOf(taxClass) ?? 'general',
    customizations: chosenUnder(list, null),
  };
}

export function orderOf(cart: OracleCart): OrderToPrice {
  const { delivery, slot, small, added, namedTaxes } = cart;
  const named = namedTaxes?.map((percent, at) => {
    const classes = cart.taxClasses?.[at]?.flatMap((one) => taxClassOf(one) ?? []);
    return { name: taxName(cart, at), percent: Number(percent), ...(classes ? { classes } : {}) };
  });
  return {
    lines: cart.lines.map(lineOf),
    mode: cart.pickup ? 'pickup' : 'delivery',
    fees: {
      deliveryFee: deliveryFeeOf(delivery),
      serviceFee: serviceOf(cart.service),
      pickupServiceFee: cart.pickupService && serviceOf(cart.pickupService),
      smallOrderFee: smallOf(small),
      orderMinimumCents: 0,
      taxes: named ?? [{ name: 'Sales tax', percent: Number(cart.taxPercent) }],
    },
    slotDeliveryFee: slot && { ...feeOf(slot), taxable: slot.taxable },
    tipCents: Number(cart.tip),
    receipt: {
      pricesMarked: cart.pricesMarked,
      addedFee: { ...feeOf(added), taxable: added.taxable },
      miscFees: cart.misc.map((amount) => ({ name: 'fee', amountCents: Number(amount) })),
    },
  };
}

import { oracleAdjusted } from './adjusted-price.ts';
import { markedUnitOf, type OracleCart, oraclePrice, percentOfDecimal, unitOf } from './price-oracle.ts';
import { oracleUnitRefund } from './refund-oracle.ts';

/*
 * Statements straight from docs/statements.md, in exact fractions: the shares of every entry of an order's life. Shares
 * no code with the service.
 */

/** In the order in which equal remainders are served. */
export const ORACLE_PARTS = ['sales', 'delivery', 'service', 'taxes', 'tip', 'account'] as const;
export type OracleParts = Record<(typeof ORACLE_PARTS)[number], bigint>;

export type OracleTerms = {
  /** As a decimal. */
  commission: string;
  perOrder: bigint;
  delivery: 'store' | 'operator';
  tax: 'operator' | 'store';
};

/** A fact of an order's life; `handed` are the units of each line that the store hands off. */
export type OracleFact =
  | { type: 'placed' }
  | { type: 'completed' }
  | { type: 'tipped'; cents: bigint }
  | { type: 'changed'; handed: bigint[] }
  /** `isTipBack`: no driver has had the canceled order. */
  | { type: 'canceled'; isTipBack: boolean }
  | {
      type: 'booked';
      id: unknown;
      isTipBack: boolean;
      cents: bigint;
      /** Cents of it that give the tip back. */
      tip: bigint;
      because: 'amount' | 'units' | 'changed';
      units: OracleUnits[];
    }
  /** What the gateway made of a booked refund. */
  | { type: 'ended'; id: unknown; cents: bigint };

/** Refunded units of a line; `missing` counts those that the account called so, if it did. */
export type OracleUnits = {
  line: number;
  units: bigint;
  cents: bigint;
  tax: bigint;
  taxes: readonly bigint[];
  missing: bigint | null;
};

export type OracleEntry = OracleParts & {
  kind: 'sale' | 'refund' | 'adjustment' | 'tip';
  commission: bigint;
  elsewhere: bigint;
  /** By the store or its driver, at the handoff. */
  collected: bigint;
  passedOn: bigint;
  payout: bigint;
  owners: { store: bigint; driver: bigint; tax: bigint; operator: bigint; account: bigint };
};

type Booking = Extract<OracleFact, { type: 'booked' }>;
type Booked = { fact: Booking; isChange: boolean; shares: OracleParts };

const NONE: OracleParts = { sales: 0n, delivery: 0n, service: 0n, taxes: 0n, tip: 0n, account: 0n };
const each = (change: (name: keyof OracleParts) => bigint): OracleParts => {
  const parts = { ...NONE };
  for (const name of ORACLE_PARTS) parts[name] = change(name);
  return parts;
};
const total = (parts: OracleParts): bigint => ORACLE_PARTS.reduce((sum, name) => sum + parts[name], 0n);
const less = (a: OracleParts, b: OracleParts) => each((name) => a[name] - b[name]);

/** The price of what is handed off, by part. */
function priceOf(cart: OracleCart, handed: readonly bigint[]): OracleParts {
  const price = oraclePrice(cart);
  const parts = {
    sales: price.subtotal,
    delivery: price.delivery,
    service: price.service + price.small,
    taxes: price.tax + price.addedTax,
    tip: price.tip,
    account: price.markup + price.addedFee + price.misc,
  };
  if (cart.lines.every(({ quantity }, line) => handed[line] === quantity)) return parts;
  if (handed.every((units) => units === 0n)) return NONE;
  const adjusted = oracleAdjusted(
    cart,
    handed.map((quantity) => ({ quantity, substitute: null })),
  );
  const { S: sales, delivery, service, small, taxes } = adjusted;
  const known = { sales, delivery, service: service + small, taxes, tip: price.tip, account: 0n };
  return { ...known, account: adjusted.total - total(known) };
}

/** Gives single cents, to the part that is furthest below its exact share each time. */
function proportional(cents: bigint, weights: OracleParts): OracleParts {
  const whole = total(weights);
  const given = each((name) => {
    const exact = cents * weights[name];
    const floor = exact / whole;
    return floor * whole > exact ? floor - 1n : floor;
  });
  while (total(given) < cents) {
    const behind = (name: keyof OracleParts) => cents * weights[name] - given[name] * whole;
    const [first, ...others] = ORACLE_PARTS;
    given[others.reduce<keyof OracleParts>((best, name) => (behind(name) > behind(best) ? name : best), first)] += 1n;
  }
  return given;
}

/** A refund without lines is proportional to each line's rest, or everything where it equals the rest. */
const takenOf = (left: OracleParts, cents: bigint) => (cents >= total(left) ? left : proportional(cents, left));

/** The entries of a life; undefined for a fact without one. */
export function oracleEntries(
  cart: OracleCart,
  { terms, pays, hasOwnDriver }: { terms: OracleTerms; pays: 'card' | 'elsewhere' | 'cash'; hasOwnDriver: boolean },
  facts: readonly OracleFact[],
): (OracleEntry | undefined)[] {
  const subtotal = oraclePrice(cart).subtotal;
  const commission = percentOfDecimal(terms.commission, subtotal);
  let left = NONE;
  let sold = NONE;
  const booked = new Map<unknown, Booked>();
  let refundedSubtotal = 0n;
  let borne = 0n;
  let tips = 0n;
  let elsewhere = 0n;
  let isSold = pays !== 'cash';
  let handed = cart.lines.map(({ quantity }) => quantity);
  const unit = (line: number) => oraclePrice(cart).units[line];

  /** The commission that has gone back, rounded once, half away from zero; negative where sales have been added. */
  const backOf = () => {
    if (subtotal === 0n) return 0n;
    const half = refundedSubtotal < 0n ? -subtotal : subtotal;
    return (2n * commission * refundedSubtotal + half) / (2n * subtotal);
  };

  const entryOf = (
    kind: OracleEntry['kind'],
    parts: OracleParts,
    kept: bigint,
    outside = 0n,
    bears = 0n,
  ): OracleEntry => {
    const owners = {
      store: -kept,
      driver: parts.tip,
      tax: parts.taxes,
      operator: kept + parts.service - bears,
      account: parts.account,
    };
    owners.store += parts.sales;
    owners[terms.delivery] += parts.delivery;
    const passedOn = hasOwnDriver ? parts.tip : 0n;
    const collected = pays === 'cash' ? total(parts) - bears : 0n;
    const payout = owners.store + passedOn + (terms.tax === 'store' ? owners.tax : 0n) - collected;
    return { ...parts, kind, commission: kept, elsewhere: outside, collected, passedOn, payout, owners };
  };
  const takeOff = (kind: OracleEntry['kind'], taken: OracleParts, bears = 0n) => {
    const before = backOf();
    refundedSubtotal += taken.sales;
    left = less(left, taken);
    borne += bears;
    return entryOf(kind, less(NONE, taken), before - backOf(), 0n, bears);
  };
  const outside = (kind: OracleEntry['kind'], now: bigint, sales: bigint) => {
    const before = backOf();
    refundedSubtotal = subtotal - sales;
    const more = now - elsewhere;
    elsewhere = now;
    const kept = before - backOf();
    return more === 0n && kept === 0n ? undefined : entryOf(kind, NONE, kept, more);
  };

  /** An order that was not charged here: what it comes to, and the commission. */
  const passedBy = (fact: OracleFact) => {
    if (fact.type === 'tipped') tips += fact.cents;
    const price = priceOf(cart, handed);
    if (fact.type === 'canceled') return outside('refund', 0n, 0n);
    if (fact.type === 'tipped') return outside('tip', total(price) + tips, price.sales);
    return fact.type === 'changed' ? outside('adjustment', total(price) + tips, price.sales) : undefined;
  };

  /** An order that is paid when it is handed off: a sale of what is handed off then, with the tips until then. */
  const soldAtHandover = (fact: OracleFact) => {
    if (fact.type === 'tipped') tips += fact.cents;
    if (fact.type === 'changed') handed = fact.handed;
    if (fact.type !== 'completed') return undefined;
    isSold = true;
    const price = priceOf(cart, handed);
    left = { ...price, tip: price.tip + tips };
    sold = left;
    refundedSubtotal = subtotal - left.sales;
    return entryOf('sale', left, commission - backOf() + terms.perOrder);
  };

  return facts.map((fact) => {
    if (fact.type === 'booked')
      return void booked.set(fact.id, { fact, isChange: fact.because === 'changed', ...sharesOf(fact) });
    if (!isSold) return soldAtHandover(fact);
    if (fact.type === 'placed') {
      if (pays === 'card') left = priceOf(cart, handed);
      else elsewhere = total(priceOf(cart, handed));
      sold = left;
      return entryOf('sale', left, commission + terms.perOrder, elsewhere);
    }
    if (fact.type === 'changed') handed = fact.handed;
    if (pays === 'elsewhere') return passedBy(fact);
    if (fact.type === 'tipped') {
      left = { ...left, tip: left.tip + fact.cents };
      sold = { ...sold, tip: sold.tip + fact.cents };
      return entryOf('tip', { ...NONE, tip: fact.cents }, 0n);
    }
    if (fact.type === 'canceled') return canceled(fact.isTipBack);
    return fact.type === 'ended' ? ended(fact) : undefined;
  });

  function canceled(isTipBack: boolean) {
    if (isTipBack && borne > 0n) return takeOff('refund', { ...NONE, tip: borne }, -borne);
    const rest = isTipBack ? left : { ...left, tip: 0n };
    const isEmpty = ORACLE_PARTS.every((name) => rest[name] === 0n);
    return total(rest) === 0n && !isEmpty ? takeOff('refund', rest) : undefined;
  }

  function ended({ id, cents }: Extract<OracleFact, { type: 'ended' }>) {
    const refund = booked.get(id);
    if (!refund) throw new RangeError('a refund ended that was not booked');
    const tip = cents < refund.fact.tip ? cents : refund.fact.tip;
    refund.shares = takenOf(refund.shares, cents - tip);
    if (cents > 0n)
      return takeOff(refund.isChange ? 'adjustment' : 'refund', refund.shares, cents - total(refund.shares));
    booked.delete(id);
    return undefined;
  }

  /** What a refund takes of each part, frozen as it is booked. */
  function sharesOf({ because, units, isTipBack, cents, tip }: Booking): { shares: OracleParts } {
    const open = [...booked.values()].reduce((rest, one) => less(rest, one.shares), sold);
    const takeable = isTipBack ? open : { ...open, tip: 0n };
    const wanted = because === 'units' ? partsOf(units) : because === 'changed' ? partsOfChange() : undefined;
    const exact = wanted && total(wanted) === cents - tip ? wanted : undefined;
    return { shares: exact ?? takenOf(takeable, cents - tip) };
  }

  function partsOf(units: readonly OracleUnits[]): OracleParts {
    const sales = units.reduce((sum, one) => sum + (unit(one.line) ?? 0n) * one.units, 0n);
    const marked = units.reduce((sum, one) => sum + one.cents, 0n);
    return { ...NONE, sales, taxes: units.reduce((sum, one) => sum + one.tax, 0n), account: marked - sales };
  }

  /** The price of missing items, less earlier changes and units the account had already reported missing. */
  function partsOfChange(): OracleParts {
    const agreed = priceOf(
      cart,
      cart.lines.map(({ quantity }) => quantity),
    );
    const changes = [...booked.values()].filter(({ isChange }) => isChange).map(({ shares }) => shares);
    const twice = cart.lines.flatMap((_, line) => givenTwice(line));
    return [priceOf(cart, handed), ...changes, ...twice].reduce(less, agreed);
  }

  function givenTwice(line: number): OracleParts[] {
    const ordered = cart.lines[line];
    const left = handed[line] ?? 0n;
    if (!ordered || ordered.quantity === left) return [];
    const own = [...booked.values()].flatMap(({ fact }) => fact.units).filter((one) => one.line === line);
    const missing = own.filter((one) => one.missing !== null);
    const others = own.filter((one) => one.missing === null);
    const beyond = missing.reduce((sum, one) => sum + (one.missing ?? 0n), left - ordered.quantity);
    if (beyond <= 0n) return [partsOf(missing)];
    const { shares } = oracleAdjusted(
      cart,
      handed.map((quantity) => ({ quantity, substitute: null })),
    );
    const taxes = shares[line] ?? [];
    const before = {
      units: others.reduce((sum, one) => sum + one.units, 0n),
      taxes: taxes.map((_, at) => others.reduce((sum, one) => sum + (one.taxes[at] ?? 0n), 0n)),
    };
    const marked = cart.pricesMarked ? markedUnitOf(ordered) : unitOf(ordered);
    const kept = oracleUnitRefund({ unit: marked, quantity: left, taxes }, before, beyond);
    const tax = (kept?.taxes ?? []).reduce((sum, cents) => sum + cents, 0n);
    const units = { line, units: beyond, cents: marked * beyond, tax, taxes: [], missing: null };
    return [less(partsOf(missing), partsOf([units]))];
  }
}

import { oracleAdjusted } from './adjusted-price.ts';
import { type OracleCart, oraclePrice, percentOfDecimal } from './price-oracle.ts';

/*
 * Statements straight from docs/statements.md, in exact fractions: the shares of every entry of an order's life. Shares
 * no code with the service.
 */

/** In the sequence in which equal remainders are served. */
export const ORACLE_PARTS = ['sales', 'delivery', 'service', 'taxes', 'tip', 'account'] as const;
export type OracleParts = Record<(typeof ORACLE_PARTS)[number], bigint>;

export type OracleTerms = {
  /** As a decimal. */
  commission: string;
  perOrder: bigint;
  delivery: 'store' | 'operator';
  tax: 'operator' | 'store';
};

/** A fact of an order's life; `handed` are the units of each line that the store hands over. */
export type OracleFact =
  | { type: 'placed' }
  | { type: 'completed' }
  | { type: 'tipped'; cents: bigint }
  | { type: 'changed'; handed: bigint[] }
  /** `isTipBack`: no driver has had the canceled order. */
  | { type: 'canceled'; isTipBack: boolean }
  | {
      type: 'refunded';
      isTipBack: boolean;
      cents: bigint;
      /** Cents of it that gave the tip back. */
      tip: bigint;
      because: 'amount' | 'units' | 'changed' | 'canceled';
      handed: bigint[];
      units: { line: number; units: bigint; cents: bigint; tax: bigint }[];
    };

export type OracleEntry = OracleParts & {
  kind: 'sale' | 'refund' | 'adjustment' | 'tip';
  commission: bigint;
  elsewhere: bigint;
  /** By the store or its driver, at the handover. */
  collected: bigint;
  passedOn: bigint;
  payout: bigint;
  owners: { store: bigint; driver: bigint; tax: bigint; operator: bigint; account: bigint };
};

const NONE: OracleParts = { sales: 0n, delivery: 0n, service: 0n, taxes: 0n, tip: 0n, account: 0n };
const each = (change: (name: keyof OracleParts) => bigint): OracleParts => {
  const parts = { ...NONE };
  for (const name of ORACLE_PARTS) parts[name] = change(name);
  return parts;
};
const total = (parts: OracleParts): bigint => ORACLE_PARTS.reduce((sum, name) => sum + parts[name], 0n);
const less = (a: OracleParts, b: OracleParts) => each((name) => a[name] - b[name]);
const plus = (a: OracleParts, b: OracleParts) => each((name) => a[name] + b[name]);

/** The price of what is handed over, by part. */
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

function between(wanted: bigint, left: bigint): bigint {
  const [low, high] = left < 0n ? [left, 0n] : [0n, left];
  return wanted < low ? low : wanted > high ? high : wanted;
}

/** The entries of a life; undefined for a fact without one. */
export function oracleEntries(
  cart: OracleCart,
  { terms, pays, hasOwnDriver }: { terms: OracleTerms; pays: 'card' | 'elsewhere' | 'cash'; hasOwnDriver: boolean },
  facts: readonly OracleFact[],
): (OracleEntry | undefined)[] {
  const subtotal = oraclePrice(cart).subtotal;
  const commission = percentOfDecimal(terms.commission, subtotal);
  let left = NONE;
  let changed = NONE;
  let refundedSubtotal = 0n;
  let borne = 0n;
  let tips = 0n;
  let elsewhere = 0n;
  let isSold = pays !== 'cash';
  let handed = cart.lines.map(({ quantity }) => quantity);

  /** The commission that has gone back, rounded once, half away from zero. */
  const backOf = () => (subtotal === 0n ? 0n : (2n * commission * refundedSubtotal + subtotal) / (2n * subtotal));

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

  /** An order that is paid when it is handed over: a sale of what is handed over then, with the tips until then. */
  const soldAtHandover = (fact: OracleFact) => {
    if (fact.type === 'tipped') tips += fact.cents;
    if (fact.type === 'changed') handed = fact.handed;
    if (fact.type !== 'completed') return undefined;
    isSold = true;
    const price = priceOf(cart, handed);
    left = { ...price, tip: price.tip + tips };
    refundedSubtotal = subtotal - left.sales;
    return entryOf('sale', left, commission - backOf() + terms.perOrder);
  };

  return facts.map((fact) => {
    if (!isSold) return soldAtHandover(fact);
    if (fact.type === 'placed') {
      if (pays === 'card') left = priceOf(cart, handed);
      else elsewhere = total(priceOf(cart, handed));
      return entryOf('sale', left, commission + terms.perOrder, elsewhere);
    }
    if (fact.type === 'changed') handed = fact.handed;
    if (pays === 'elsewhere') return passedBy(fact);
    if (fact.type === 'tipped') {
      left = { ...left, tip: left.tip + fact.cents };
      return entryOf('tip', { ...NONE, tip: fact.cents }, 0n);
    }
    if (fact.type === 'canceled') {
      if (fact.isTipBack && borne > 0n) return takeOff('refund', { ...NONE, tip: borne }, -borne);
      const rest = takeable(fact.isTipBack);
      const isEmpty = ORACLE_PARTS.every((name) => rest[name] === 0n);
      return total(rest) === 0n && !isEmpty ? takeOff('refund', rest) : undefined;
    }
    if (fact.type !== 'refunded') return undefined;
    const taken = takenBy(fact);
    const bears = fact.cents - total(taken);
    if (fact.because !== 'changed') return takeOff('refund', taken, bears);
    changed = plus(changed, taken);
    return takeOff('adjustment', taken, bears);
  });

  /** All that refunds may take: not the tip of a driver. */
  function takeable(isTipBack: boolean): OracleParts {
    return isTipBack ? left : { ...left, tip: 0n };
  }

  function takenBy(fact: Extract<OracleFact, { type: 'refunded' }>) {
    const { because, units, handed: handedThen } = fact;
    const most = takeable(fact.isTipBack);
    const asked = fact.cents - fact.tip;
    const cents = asked < total(most) ? asked : total(most);
    const wanted = {
      amount: () => NONE,
      canceled: () => most,
      changed: () =>
        less(
          less(
            priceOf(
              cart,
              cart.lines.map(({ quantity }) => quantity),
            ),
            priceOf(cart, handedThen),
          ),
          changed,
        ),
      units: () => {
        const prices = oraclePrice(cart).units;
        const sales = units.reduce((sum, one) => sum + (prices[one.line] ?? 0n) * one.units, 0n);
        const marked = units.reduce((sum, one) => sum + one.cents, 0n);
        return { ...NONE, sales, taxes: units.reduce((sum, one) => sum + one.tax, 0n), account: marked - sales };
      },
    }[because]();
    const taken = each((name) => between(wanted[name], most[name]));
    const rest = cents - total(taken);
    if (rest === 0n) return taken;
    return rest < 0n ? proportional(cents, taken) : plus(taken, proportional(rest, less(most, taken)));
  }
}

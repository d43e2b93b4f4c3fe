/**
 * An exact integer model, straight from the rules, of the events after placing and their results. Shares no code with
 * the service.
 */
import { oracleAdjusted } from '../oracles/adjusted-price.ts';
import { markedUnitOf, type OracleCart, oraclePrice, shareOut, unitOf } from '../oracles/price-oracle.ts';
import { oracleUnitRefund } from '../oracles/refund-oracle.ts';

/** `isMissing`: the reason said so, of `reported` units; those that the store reports too are the same units. */
export type ModelUnits = {
  line: number;
  units: bigint;
  reported: bigint;
  price: bigint;
  tax: bigint;
  taxes: readonly bigint[];
  isMissing: boolean;
};
export type ModelPart = { charge: number; cents: bigint; isMade: boolean; state: 'pending' | 'done' | 'failed' };
export type ModelRefund = {
  kind: 'asked' | 'changed' | 'canceled' | 'outside';
  units: ModelUnits[];
  /** The part that refunds the tip. */
  tip: bigint;
  parts: ModelPart[];
};
/** `elsewhere`: not charged here. `cash`: charged with what is due when the order is completed. */
export type Pays = 'card' | 'elsewhere' | 'cash';

export type LifeModel = {
  readonly cart: OracleCart;
  readonly pays: Pays;
  status: 'awaiting' | 'in_progress' | 'completed' | 'canceled';
  stage: 'store' | 'assigned' | 'gone' | 'near';
  isReady: boolean;
  hoursSinceEnd: bigint;
  tip: bigint;
  charges: bigint[];
  refunds: ModelRefund[];
  outside: { charge: number; cents: bigint; isCounted: boolean }[];
  /** Units of each line that the store hands off. */
  handed: bigint[];
};

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export function placedModel(cart: OracleCart, pays: Pays): LifeModel {
  const { totalWithTip, tip } = oraclePrice(cart);
  return {
    cart,
    pays,
    status: 'awaiting',
    stage: 'store',
    isReady: false,
    hoursSinceEnd: 0n,
    tip,
    charges: pays === 'card' && totalWithTip > 0n ? [totalWithTip] : [],
    refunds: [],
    outside: [],
    handed: cart.lines.map(({ quantity }) => quantity),
  };
}

export const isPending = ({ parts }: ModelRefund) => parts.some(({ state }) => state === 'pending');
const cut = (parts: readonly ModelPart[], isCounted: (part: ModelPart) => boolean) =>
  sum(parts.filter(isCounted).map(({ cents }) => cents));

export const chargedOf = ({ charges }: LifeModel) => sum(charges);
/** Completed refunds, as the order reports them. */
export const backOf = ({ refunds }: LifeModel) =>
  sum(refunds.filter((one) => !isPending(one)).map(({ parts }) => cut(parts, ({ state }) => state === 'done')));
export const promisedOf = ({ refunds }: LifeModel) =>
  sum(refunds.filter(isPending).map(({ parts }) => cut(parts, () => true)));
export const paidOf = (model: LifeModel) => chargedOf(model) - backOf(model) - promisedOf(model);
const isWithDriver = ({ stage }: LifeModel) => stage === 'gone' || stage === 'near';
/** The tip that the customer has not got back; refunds of a tip whose gateway refused count as far as they were made. */
export const keptTipOf = ({ tip, refunds }: LifeModel) =>
  tip -
  sum(
    refunds.map((one) =>
      isPending(one)
        ? one.tip
        : lesser(
            one.tip,
            cut(one.parts, ({ state }) => state === 'done'),
          ),
    ),
  );
/** What can still be refunded without the tip, which goes back only if no driver has had a canceled order. */
export const leftOf = (model: LifeModel) => {
  const isReturned = model.status === 'canceled' && !isWithDriver(model);
  const left = paidOf(model) - (isReturned ? 0n : keptTipOf(model));
  return left > 0n ? left : 0n;
};
export const takenOf = ({ refunds }: LifeModel, charge: number) =>
  sum(refunds.map(({ parts }) => cut(parts, (part) => part.charge === charge && part.state !== 'failed')));
/** What the gateway refunded of a charge. */
export const gatewayBack = ({ refunds, outside }: LifeModel, charge: number) =>
  sum(
    refunds.map(({ kind, parts }) =>
      kind === 'outside' ? 0n : cut(parts, (part) => part.charge === charge && part.isMade),
    ),
  ) + sum(outside.map((one) => (one.charge === charge ? one.cents : 0n)));
/** What the customer paid by the gateway's books. */
export const keptOf = (model: LifeModel) =>
  sum(model.charges.map((cents, charge) => cents - gatewayBack(model, charge)));
/** The agreed amount: the quote's total with the tip as raised. */
export const agreedOf = ({ cart, tip }: LifeModel) => {
  const price = oraclePrice(cart);
  return price.totalWithTip - price.tip + tip;
};

/** The price of what is handed off, with the tip as raised. */
export const dueOf = ({ cart, tip, handed }: LifeModel) =>
  oracleAdjusted(
    cart,
    handed.map((quantity) => ({ quantity, substitute: null })),
  ).total -
  oraclePrice(cart).tip +
  tip;

export function book(
  model: LifeModel,
  kind: ModelRefund['kind'],
  cents: bigint,
  units: ModelUnits[] = [],
  tip = 0n,
): void {
  let rest = cents;
  const parts = model.charges.flatMap((charged, charge): ModelPart[] => {
    const part = lesser(rest, charged - takenOf(model, charge));
    if (part <= 0n) return [];
    rest -= part;
    return [{ charge, cents: part, isMade: false, state: 'pending' }];
  });
  if (parts.length > 0) model.refunds.push({ kind, units, tip, parts });
}

const mayCancel = ({ status, stage }: LifeModel) =>
  status === 'awaiting' || (status === 'in_progress' && (stage === 'store' || stage === 'assigned'));

function cancel(model: LifeModel): void {
  model.status = 'canceled';
  book(model, 'canceled', leftOf(model));
}

function complete(model: LifeModel): void {
  model.status = 'completed';
  const due = dueOf(model);
  if (model.pays === 'cash' && due > 0n) model.charges.push(due);
}

/** Takes a step; false if not allowed. */
export function modelStep(model: LifeModel, event: string): boolean {
  const { status, stage, cart } = model;
  const isMaking = status === 'in_progress';
  const isInStore = stage === 'store' || stage === 'assigned';
  const steps: Readonly<Record<string, [boolean, () => void]>> = {
    confirm: [status === 'awaiting', () => (model.status = 'in_progress')],
    ready: [isMaking && !model.isReady && isInStore, () => (model.isReady = true)],
    assign_driver: [isMaking && !cart.pickup && stage === 'store', () => (model.stage = 'assigned')],
    pick_up: [isMaking && stage === 'assigned', () => (model.stage = 'gone')],
    approach: [isMaking && stage === 'gone', () => (model.stage = 'near')],
    complete: [isMaking && (cart.pickup || !isInStore), () => complete(model)],
    cancel: [mayCancel(model), () => cancel(model)],
    courier_lost: [isMaking && !isInStore, () => cancel(model)],
  };
  const [isAllowed = false, take] = steps[event] ?? [];
  if (isAllowed) take?.();
  return isAllowed;
}

const isRefundable = (model: LifeModel) =>
  (model.status === 'in_progress' || model.status === 'completed') && chargedOf(model) > 0n;

/** Requests an amount; undefined if refused. */
export function modelRefund(model: LifeModel, cents: bigint): bigint | undefined {
  if (!isRefundable(model) || cents <= 0n || cents > leftOf(model)) return undefined;
  book(model, 'asked', cents);
  return cents;
}

/** Gives the tip back; undefined if refused. */
export function modelRefundTip(model: LifeModel): bigint | undefined {
  const cents = lesser(keptTipOf(model), paidOf(model));
  if (!isWithDriver(model) || chargedOf(model) === 0n || cents <= 0n) return undefined;
  book(model, 'asked', cents, [], cents);
  return cents;
}

const stands = ({ parts }: ModelRefund) => !parts.every(({ state }) => state === 'failed');
/** Units in completed or pending refunds, oldest first. */
export const refundUnits = ({ refunds }: LifeModel) =>
  refunds.filter((one) => one.kind === 'asked' && stands(one)).flatMap(({ units }) => units);

/** Requests a refund of units; undefined if refused. */
export function modelRefundUnits(
  model: LifeModel,
  wanted: readonly { line: number; units: bigint }[],
  isMissing: boolean,
): bigint | undefined {
  if (!isRefundable(model)) return undefined;
  const given = refundUnits(model);
  const priced: ModelUnits[] = [];
  for (const { line, units } of wanted) {
    if (!model.cart.lines[line]) return undefined;
    const own = [...given, ...priced].filter((one) => one.line === line);
    const one = isMissing ? missingUnits(model, line, own, units) : moreUnits(model, line, own, units);
    if (!one) return undefined;
    priced.push({ ...one, line, isMissing });
  }
  const more = priced.filter((one) => one.units > 0n);
  return more.length === 0 ? undefined : bookUnits(model, more);
}

const isAsOrdered = ({ cart, handed }: LifeModel, line: number) => handed[line] === cart.lines[line]?.quantity;
type Priced = Omit<ModelUnits, 'line' | 'isMissing'>;

/** Units at the prices of what is handed off, after these units of the line; undefined if too few are left. */
function moreUnits(model: LifeModel, line: number, own: readonly ModelUnits[], units: bigint): Priced | undefined {
  const { cart } = model;
  const ordered = cart.lines[line];
  if (!ordered) return undefined;
  const others = isAsOrdered(model, line) ? own : own.filter((one) => !one.isMissing);
  const beyond = isAsOrdered(model, line) ? undefined : beyondLacked(model, line, own);
  const before = beyond ? [...others, beyond] : others;
  const shares = sharesOf(model)[line] ?? [];
  const unit = cart.pricesMarked ? markedUnitOf(ordered) : unitOf(ordered);
  const given = {
    units: sum(before.map((one) => one.units)),
    taxes: shares.map((_, at) => sum(before.map((one) => one.taxes[at] ?? 0n))),
  };
  const one = oracleUnitRefund({ unit, quantity: model.handed[line] ?? 0n, taxes: shares }, given, units);
  return one && { units, reported: units, tax: sum(one.taxes), taxes: one.taxes, price: one.price };
}

/** Units reported missing by the account beyond the store's: of the handoff, priced at once. */
function beyondLacked(model: LifeModel, line: number, own: readonly ModelUnits[]): Priced | undefined {
  const lacked = (model.cart.lines[line]?.quantity ?? 0n) - (model.handed[line] ?? 0n);
  const missing = own.filter((one) => one.isMissing);
  const units = sum(missing.map(({ reported }) => reported)) - lacked;
  const others = own.filter((one) => !one.isMissing);
  if (units > 0n) return moreUnits(model, line, others, units);
  return { units: 0n, reported: 0n, price: 0n, tax: 0n, taxes: [] };
}

function missingUnits(model: LifeModel, line: number, own: readonly ModelUnits[], units: bigint): Priced | undefined {
  if (isAsOrdered(model, line)) return moreUnits(model, line, own, units);
  const report = { line, units: 0n, reported: units, price: 0n, tax: 0n, taxes: [], isMissing: true };
  const before = beyondLacked(model, line, own);
  const after = beyondLacked(model, line, [...own, report]);
  if (!before || !after) return undefined;
  return {
    units: after.units - before.units,
    reported: units,
    price: after.price - before.price,
    tax: after.tax - before.tax,
    taxes: after.taxes.map((cents, at) => cents - (before.taxes[at] ?? 0n)),
  };
}

/** What the lines bear of the taxes as they are handed off. */
function sharesOf({ cart, handed }: LifeModel): bigint[][] {
  return oracleAdjusted(
    cart,
    handed.map((quantity) => ({ quantity, substitute: null })),
  ).shares;
}

/** Shares that changes have rounded again may exceed the charge by some cents, which reduce the taxes. */
function bookUnits(model: LifeModel, priced: readonly ModelUnits[]): bigint | undefined {
  const total = sum(priced.map(({ price, tax }) => price + tax));
  let excess = total - leftOf(model);
  if (excess > BigInt(sharesOf(model).flat().length)) return undefined;
  const units = priced.map((one) => {
    const off = excess > 0n ? lesser(excess, one.tax) : 0n;
    excess -= off;
    return off === 0n ? one : { ...one, tax: one.tax - off, taxes: shareOut(one.tax - off, one.taxes) };
  });
  const cents = sum(units.map(({ price, tax }) => price + tax));
  if (cents <= 0n || cents > leftOf(model)) return undefined;
  book(model, 'asked', cents, units);
  return cents;
}

/** Sets the whole tip; undefined if refused. */
export function modelTip(model: LifeModel, tip: bigint): bigint | undefined {
  const isOpen = model.status === 'awaiting' || model.status === 'in_progress' || model.status === 'completed';
  if (!isOpen || (model.status === 'completed' && model.hoursSinceEnd > 24n)) return undefined;
  if (model.cart.pickup || tip < model.tip) return undefined;
  if (model.pays === 'cash' && model.status === 'completed') return undefined;
  const added = tip - model.tip;
  model.tip = tip;
  if (model.pays === 'card' && added > 0n) model.charges.push(added);
  return added;
}

/** The store hands off fewer units of a line; undefined if not allowed. */
export function modelAdjust(model: LifeModel, line: number, units: bigint): bigint | undefined {
  const before = model.handed[line];
  if (before === undefined || !mayCancel(model)) return undefined;
  const priceOf = (handed: readonly bigint[]) =>
    oracleAdjusted(
      model.cart,
      handed.map((quantity) => ({ quantity, substitute: null })),
    ).total;
  const handed = model.handed.with(line, units);
  const drop = priceOf(model.handed) - priceOf(handed);
  // Two roundings of a tax may make fewer units a cent more expensive, which no one pays.
  if (drop < 0n && units > before) return undefined;
  const less = drop < 0n ? 0n : drop;
  model.handed = handed;
  if (handed.every((quantity) => quantity === 0n)) {
    cancel(model);
    return less;
  }
  const given = model.refunds.filter((one) => one.kind === 'changed' && stands(one));
  const alreadyGiven = sum(given.map(({ parts }) => cut(parts, ({ state }) => state !== 'failed')));
  const agreed = oraclePrice(model.cart).totalWithTip;
  const owed = agreed - priceOf(handed) - alreadyGiven - sum(handed.map((_, at) => givenTwice(model, at)));
  // A free order's only payment is its later tip, which missing items do not lower.
  if (model.pays === 'card' && agreed > 0n) book(model, 'changed', owed > 0n ? lesser(owed, leftOf(model)) : 0n);
  return less;
}

/** The price of units reported missing by the account, less those the store lacks too. */
function givenTwice(model: LifeModel, line: number): bigint {
  if (isAsOrdered(model, line)) return 0n;
  const own = refundUnits(model).filter((one) => one.line === line);
  const beyond = beyondLacked(model, line, own) ?? { price: 0n, tax: 0n };
  const given = sum(own.filter((one) => one.isMissing).map(({ price, tax }) => price + tax));
  return given - beyond.price - beyond.tax;
}

/**
 * What may happen to an order after placing, and what it then comes to: an exact model in whole numbers, straight from
 * the rules. It shares no code with what it checks.
 */
import { oracleAdjusted } from '../oracles/adjusted-price.ts';
import { markedUnitOf, type OracleCart, oraclePrice, unitOf } from '../oracles/price-oracle.ts';
import { oracleUnitRefund } from '../oracles/refund-oracle.ts';

export type ModelUnits = { line: number; units: bigint; tax: bigint };
/** A part of a refund; `isMade`: the gateway has given it back, whether or not its answer has arrived. */
export type ModelPart = { charge: number; cents: bigint; isMade: boolean; state: 'pending' | 'done' | 'failed' };
export type ModelRefund = {
  kind: 'asked' | 'changed' | 'canceled' | 'outside';
  units: ModelUnits[];
  parts: ModelPart[];
};
export type LifeModel = {
  readonly cart: OracleCart;
  readonly paysByCard: boolean;
  status: 'awaiting' | 'in_progress' | 'completed' | 'canceled';
  stage: 'store' | 'assigned' | 'gone' | 'near';
  isReady: boolean;
  hoursSinceEnd: bigint;
  tip: bigint;
  charges: bigint[];
  refunds: ModelRefund[];
  /** Refunds that were made at the gateway itself. */
  outside: { charge: number; cents: bigint; isCounted: boolean }[];
  /** Units of each line that the store hands over. */
  handed: bigint[];
};

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export function placedModel(cart: OracleCart, paysByCard: boolean): LifeModel {
  const { totalWithTip, tip } = oraclePrice(cart);
  return {
    ...{ cart, paysByCard, status: 'awaiting', stage: 'store', isReady: false, hoursSinceEnd: 0n, tip },
    charges: paysByCard && totalWithTip > 0n ? [totalWithTip] : [],
    ...{ refunds: [], outside: [], handed: cart.lines.map(({ quantity }) => quantity) },
  };
}

const isPending = ({ parts }: ModelRefund) => parts.some(({ state }) => state === 'pending');
const cut = (parts: readonly ModelPart[], isCounted: (part: ModelPart) => boolean) =>
  sum(parts.filter(isCounted).map(({ cents }) => cents));

export const chargedOf = ({ charges }: LifeModel) => sum(charges);
/** What has gone back, as the order says it: refunds that have ended. */
export const backOf = ({ refunds }: LifeModel) =>
  sum(refunds.filter((one) => !isPending(one)).map(({ parts }) => cut(parts, ({ state }) => state === 'done')));
/** What is promised: refunds that have not ended. */
export const promisedOf = ({ refunds }: LifeModel) =>
  sum(refunds.filter(isPending).map(({ parts }) => cut(parts, () => true)));
const leftOf = (model: LifeModel) => chargedOf(model) - backOf(model) - promisedOf(model);
const takenOf = ({ refunds }: LifeModel, charge: number) =>
  sum(refunds.map(({ parts }) => cut(parts, (part) => part.charge === charge && part.state !== 'failed')));
/** What the gateway has given back of a charge. */
const gatewayBack = ({ refunds, outside }: LifeModel, charge: number) =>
  sum(
    refunds.map(({ kind, parts }) =>
      kind === 'outside' ? 0n : cut(parts, (part) => part.charge === charge && part.isMade),
    ),
  ) + sum(outside.map((one) => (one.charge === charge ? one.cents : 0n)));
/** What the customer has paid by the gateway's own books. */
export const keptOf = (model: LifeModel) =>
  sum(model.charges.map((cents, charge) => cents - gatewayBack(model, charge)));
/** What the customer has agreed to: the total of the quote, with the tip as it was raised. */
export const agreedOf = ({ cart, tip }: LifeModel) => {
  const price = oraclePrice(cart);
  return price.totalWithTip - price.tip + tip;
};

/** Each charge in turn gives back what it has left. */
function book(model: LifeModel, kind: ModelRefund['kind'], cents: bigint, units: ModelUnits[] = []): void {
  let rest = cents;
  const parts = model.charges.flatMap((charged, charge): ModelPart[] => {
    const part = lesser(rest, charged - takenOf(model, charge));
    if (part <= 0n) return [];
    rest -= part;
    return [{ charge, cents: part, isMade: false, state: 'pending' }];
  });
  if (parts.length > 0) model.refunds.push({ kind, units, parts });
}

const mayCancel = ({ status, stage }: LifeModel) =>
  status === 'awaiting' || (status === 'in_progress' && (stage === 'store' || stage === 'assigned'));

function cancel(model: LifeModel): void {
  model.status = 'canceled';
  book(model, 'canceled', leftOf(model));
}

/** Takes a step; false where it is not allowed. */
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
    complete: [isMaking && (cart.pickup || !isInStore), () => (model.status = 'completed')],
    cancel: [mayCancel(model), () => cancel(model)],
    courier_lost: [isMaking && !isInStore, () => cancel(model)],
  };
  const [isAllowed = false, take] = steps[event] ?? [];
  if (isAllowed) take?.();
  return isAllowed;
}

const isRefundable = (model: LifeModel) =>
  (model.status === 'in_progress' || model.status === 'completed') && chargedOf(model) > 0n;

/** Asks for an amount; undefined where it is refused. */
export function modelRefund(model: LifeModel, cents: bigint): bigint | undefined {
  if (!isRefundable(model) || cents <= 0n || cents > leftOf(model)) return undefined;
  book(model, 'asked', cents);
  return cents;
}

/** Asks for units of lines; undefined where they are refused. */
export function modelRefundUnits(
  model: LifeModel,
  asked: readonly { line: number; units: bigint }[],
): bigint | undefined {
  if (!isRefundable(model)) return undefined;
  const { cart } = model;
  const given = model.refunds
    .filter(({ kind, parts }) => kind === 'asked' && !parts.every(({ state }) => state === 'failed'))
    .flatMap(({ units }) => units);
  const priced: (ModelUnits & { price: bigint })[] = [];
  for (const { line, units } of asked) {
    const ordered = cart.lines[line];
    if (!ordered) return undefined;
    const own = [...given, ...priced].filter((one) => one.line === line);
    const before = { units: sum(own.map((one) => one.units)), tax: sum(own.map((one) => one.tax)) };
    const unit = cart.pricesMarked ? markedUnitOf(ordered) : unitOf(ordered);
    const whole = { unit, quantity: model.handed[line] ?? 0n, taxPercent: cart.taxPercent };
    const one = oracleUnitRefund(whole, before, units);
    if (!one) return undefined;
    priced.push({ line, units, tax: one.tax, price: one.price });
  }
  return bookUnits(model, priced);
}

/** The roundings of the lines' taxes may come to a few cents more than was charged: these are taken off the taxes. */
function bookUnits(model: LifeModel, priced: readonly (ModelUnits & { price: bigint })[]): bigint | undefined {
  const total = sum(priced.map(({ price, tax }) => price + tax));
  let excess = total - leftOf(model);
  if (excess > BigInt(model.cart.lines.length)) return undefined;
  const units = priced.map(({ line, units: count, tax }) => {
    const off = excess > 0n ? lesser(excess, tax) : 0n;
    excess -= off;
    return { line, units: count, tax: tax - off };
  });
  const cents = sum(priced.map(({ price }) => price)) + sum(units.map(({ tax }) => tax));
  if (cents <= 0n || cents > leftOf(model)) return undefined;
  book(model, 'asked', cents, units);
  return cents;
}

/** Sets the whole tip; undefined where it is refused. */
export function modelTip(model: LifeModel, tip: bigint): bigint | undefined {
  const isOpen = model.status === 'awaiting' || model.status === 'in_progress' || model.status === 'completed';
  if (!isOpen || (model.status === 'completed' && model.hoursSinceEnd > 24n)) return undefined;
  if (model.cart.pickup || tip < model.tip) return undefined;
  const added = tip - model.tip;
  model.tip = tip;
  if (model.paysByCard && added > 0n) model.charges.push(added);
  return added;
}

/** The store hands fewer units of a line over; undefined where it may not. */
export function modelAdjust(model: LifeModel, line: number, units: bigint): bigint | undefined {
  const before = model.handed[line];
  if (before === undefined || !mayCancel(model)) return undefined;
  const priceOf = (handed: readonly bigint[]) =>
    oracleAdjusted(
      model.cart,
      handed.map((quantity) => ({ quantity, substitute: null })),
    ).total;
  const handed = model.handed.with(line, units);
  const less = priceOf(model.handed) - priceOf(handed);
  if (less < 0n) return undefined;
  model.handed = handed;
  if (handed.every((quantity) => quantity === 0n)) {
    cancel(model);
    return less;
  }
  if (model.charges.length > 0) book(model, 'changed', lesser(less, leftOf(model)));
  return less;
}

/** Somebody gives money back at the gateway itself, at most what the gateway has of the charge. */
export function modelOutside(model: LifeModel, charge: number, cents: bigint): bigint {
  const charged = model.charges[charge] ?? 0n;
  const made = lesser(cents, charged - gatewayBack(model, charge));
  if (made > 0n) model.outside.push({ charge, cents: made, isCounted: false });
  return made;
}

/** How the gateway answers when it is asked for a part of a refund. */
export type GatewayMood = 'answers' | 'silent' | 'loses_answers';

/** The gateway is asked for every pending part, in the sequence of booking. */
export function modelAnswers(model: LifeModel, mood: GatewayMood): void {
  const pending = model.refunds.flatMap((refund) => refund.parts.map((part) => ({ refund, part })));
  for (const { refund, part } of pending) {
    if (part.state !== 'pending' || mood === 'silent') continue;
    const charged = model.charges[part.charge] ?? 0n;
    const fits = part.isMade || part.cents <= charged - gatewayBack(model, part.charge);
    if (fits) part.isMade = true;
    if (fits && mood === 'answers') part.state = 'done';
    // A canceled order goes on asking for what it owes.
    if (!fits && model.status !== 'canceled') part.state = 'failed';
    bookRest(model, refund);
  }
}

/** The service hears of the refunds that were made at the gateway itself, after it has asked for its own. */
export function modelHears(model: LifeModel): void {
  if (model.outside.every(({ isCounted }) => isCounted)) return;
  modelAnswers(model, 'answers');
  for (const one of model.outside.filter(({ isCounted }) => !isCounted)) {
    one.isCounted = true;
    const { charge, cents } = one;
    const room = (model.charges[charge] ?? 0n) - takenOf(model, charge);
    if (cents > room) {
      for (const { parts } of model.refunds) {
        for (const part of parts) if (part.charge === charge && part.state === 'pending') part.state = 'failed';
      }
    }
    model.refunds.push({ kind: 'outside', units: [], parts: [{ charge, cents, isMade: true, state: 'done' }] });
    bookRest(model, undefined);
  }
}

/** A canceled order owes all that is left, once a refund has ended. */
function bookRest(model: LifeModel, ended: ModelRefund | undefined): void {
  if (model.status !== 'canceled' || (ended && isPending(ended))) return;
  if (leftOf(model) > 0n) book(model, 'canceled', leftOf(model));
}

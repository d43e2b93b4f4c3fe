import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterRefunds } from '../../src/notify/messages/mail-content.ts';
import { receiptOfOrder } from '../../src/ordering/money/receipt.ts';
import { ADVANCE_EVENTS } from '../../src/ordering/order/order.ts';
import { toCollectCents } from '../../src/ordering/order/reprice-order.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import { type GatewayMood, modelAnswers, modelNotice, modelOutside } from './gateway-model.ts';
import {
  agreedOf,
  backOf,
  chargedOf,
  dueOf,
  keptOf,
  keptTipOf,
  type LifeModel,
  modelAdjust,
  modelRefund,
  modelRefundTip,
  modelRefundUnits,
  modelStep,
  modelTip,
  promisedOf,
  refundUnits,
} from './life-model.ts';
import {
  adjust,
  askGateway,
  type PureLife,
  receiveNotice,
  refund,
  refundOutside,
  refundTip,
  takeStep,
  tip,
} from './pure-life.ts';

/** One event of an order's life: model and rules must agree. */
export type LifeCommand = fc.Command<LifeModel, PureLife>;

const STATUS = {
  awaiting: 'awaiting_confirmation',
  in_progress: 'in_progress',
  completed: 'completed',
  canceled: 'canceled',
} as const;

function happening(name: string, happen: (model: LifeModel, life: PureLife) => void): LifeCommand {
  return {
    check: () => true,
    run: (model, life) => {
      happen(model, life);
      assertSame(model, life);
    },
    toString: () => name,
  };
}

export function assertSame(model: LifeModel, life: PureLife): void {
  const { order, ledger, books } = life;
  assert.equal(order.status, STATUS[model.status]);
  assert.deepEqual(
    [order.chargedCents, order.refundedCents, order.refundingCents],
    [chargedOf(model), backOf(model), promisedOf(model)].map(Number),
  );
  const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);
  const kept = sum([...books.charges.values()]) - sum([...books.refunds.values()].map(({ cents }) => cents));
  assert.equal(kept, Number(keptOf(model)), 'what the gateway has kept');
  assert.ok(kept >= 0 && kept <= Number(agreedOf(model)), 'the customer never pays more than agreed');
  const receipt = receiptOfOrder(order, ledger, localeOf('en', 'US'));
  assert.equal(receipt.totalCents, Number(agreedOf(model)));
  assert.equal(receipt.subtotalCents + sum(receipt.charges.map(({ cents }) => cents)), receipt.totalCents);
  const isOpen = model.pays === 'cash' && model.status !== 'completed';
  if (model.pays === 'elsewhere' || (isOpen && model.status === 'canceled')) return;
  const paidCents = order.chargedCents - order.refundedCents - order.refundingCents;
  assert.equal(afterRefunds(receipt), isOpen ? Number(dueOf(model)) : paidCents);
  assert.equal(toCollectCents(order), isOpen ? Number(dueOf(model)) : null);
}

/** Invariants at the end, after the gateway has answered and every event was received. */
export function assertEnd(model: LifeModel, life: PureLife): void {
  for (const [receive, answers] of [
    [() => modelNotice(model), () => modelAnswers(model, 'answers')],
    [() => receiveNotice(life), () => askGateway(life, 'answers')],
  ] as const) {
    receive();
    answers();
    answers();
  }
  assertSame(model, life);
  const { order } = life;
  assert.equal(order.refundingCents, 0);
  assert.equal(order.chargedCents - order.refundedCents, Number(keptOf(model)), 'the ledger is what the gateway says');
  if (order.status === 'canceled') {
    const isWithDriver = model.stage === 'gone' || model.stage === 'near';
    assert.ok(keptOf(model) <= (isWithDriver ? keptTipOf(model) : 0n), 'nothing but the tip of a driver is kept');
  }
  const isAllBack = order.chargedCents > 0 && order.refundedCents === order.chargedCents;
  assert.equal(order.chargeState === 'refunded', isAllBack);
}

const same = (real: number | undefined, expected: bigint | undefined) =>
  assert.equal(real, expected === undefined ? undefined : Number(expected));

const asInt = (cents: bigint) => Number(cents);

/** A share of the charge, so that refunds come close to the balance. */
const amountOf = (model: LifeModel, share: number, more: number): bigint =>
  (chargedOf(model) * BigInt(share)) / 100n + BigInt(more);

const step = fc
  .constantFrom(...ADVANCE_EVENTS, 'courier_lost' as const)
  .map((event) => happening(event, (model, life) => assert.equal(takeStep(life, event), modelStep(model, event))));
const onItsWay = fc
  .constantFrom('confirm', 'confirm', 'assign_driver', 'pick_up', 'complete')
  .map((event) =>
    happening(event, (model, life) => assert.equal(takeStep(life, event as 'confirm'), modelStep(model, event))),
  );
const amounts = fc.tuple(fc.nat({ max: 110 }), fc.integer({ min: -2, max: 2 })).map(([share, more]) =>
  happening(`refund ${share} % ${more}`, (model, life) => {
    const cents = amountOf(model, share, more);
    same(refund(life, { cents: asInt(cents) }), modelRefund(model, cents));
  }),
);
const reasonOf = (isMissing: boolean) => (isMissing ? 'missing' : '');
const someUnits = fc.record({ index: fc.nat({ max: 3 }), quantity: fc.integer({ min: 1, max: 40 }) });
const units = fc.tuple(fc.array(someUnits, { minLength: 1, maxLength: 3 }), fc.boolean()).map(([items, isMissing]) =>
  happening(`refund ${JSON.stringify(items)} ${reasonOf(isMissing)}`, (model, life) => {
    const requested = items.map(({ index, quantity }) => ({ line: index, units: BigInt(quantity) }));
    same(refund(life, { items, reason: reasonOf(isMissing) }), modelRefundUnits(model, requested, isMissing));
  }),
);
function unitsLeft(model: LifeModel, line: number): number {
  const requested = refundUnits(model).filter((one) => one.line === line);
  return asInt(requested.reduce((rest, one) => rest - one.units, model.handed[line] ?? 0n));
}

/** Refunds every remaining unit, at once or one by one; the last unit takes the remainder. */
const rest = fc.tuple(fc.nat({ max: 2 }), fc.boolean(), fc.boolean()).map(([index, isOneByOne, isMissing]) =>
  happening(`refund the rest of ${index} ${reasonOf(isMissing)}`, (model, life) => {
    const left = unitsLeft(model, index);
    const sizes = isOneByOne ? Array.from({ length: Math.min(left, 5) }, () => 1) : [left];
    for (const quantity of sizes.filter((size) => size > 0)) {
      const expected = modelRefundUnits(model, [{ line: index, units: BigInt(quantity) }], isMissing);
      same(refund(life, { items: [{ index, quantity }], reason: reasonOf(isMissing) }), expected);
    }
  }),
);
const everything = fc.boolean().map((isMissing) =>
  happening(`refund every unit ${reasonOf(isMissing)}`, (model, life) => {
    const items = model.handed
      .map((_units, index) => ({ index, quantity: unitsLeft(model, index) }))
      .filter(({ quantity }) => quantity > 0);
    const requested = items.map(({ index, quantity }) => ({ line: index, units: BigInt(quantity) }));
    if (items.length === 0) return;
    same(refund(life, { items, reason: reasonOf(isMissing) }), modelRefundUnits(model, requested, isMissing));
  }),
);
const tips = fc.integer({ min: -300, max: 3000 }).map((more) =>
  happening(`tip ${more}`, (model, life) => {
    const wanted = model.tip + BigInt(more);
    same(tip(life, asInt(wanted)), modelTip(model, wanted));
  }),
);
const tipsBack = fc.constant(
  happening('refund the tip', (model, life) => same(refundTip(life), modelRefundTip(model))),
);
const adjustments = fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 100 })).map(([line, part]) =>
  happening(`hand over ${part} % of ${line}`, (model, life) => {
    const ordered = model.cart.lines[line]?.quantity ?? 0n;
    const quantity = (ordered * BigInt(part)) / 100n;
    if (ordered > 0n) same(adjust(life, line, asInt(quantity)), modelAdjust(model, line, quantity));
  }),
);
const answers = fc.constantFrom<GatewayMood>('answers', 'answers', 'silent', 'loses_answers').map((mood) =>
  happening(`the gateway ${mood}`, (model, life) => {
    modelAnswers(model, mood);
    askGateway(life, mood);
  }),
);
const outside = fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 110 })).map(([charge, share]) =>
  happening(`${share} % of charge ${charge} go back by hand`, (model, life) => {
    if (charge >= model.charges.length) return;
    const cents = ((model.charges[charge] ?? 0n) * BigInt(share)) / 100n;
    same(refundOutside(life, charge, asInt(cents)), modelOutside(model, charge, cents));
  }),
);
const receive = fc.constant(
  happening('hear of what went back by hand', (model, life) => {
    modelNotice(model);
    receiveNotice(life);
  }),
);
const time = fc.integer({ min: 1, max: 20 }).map((hours) =>
  happening(`${hours} hours`, (model, life) => {
    if (model.status === 'completed') model.hoursSinceEnd += BigInt(hours);
    life.now = life.now.add({ hours });
  }),
);

export const LIFE_COMMANDS: fc.Arbitrary<LifeCommand>[] = [
  ...[
    step,
    onItsWay,
    onItsWay,
    amounts,
    units,
    rest,
    everything,
    tips,
    tipsBack,
    adjustments,
    answers,
    answers,
    outside,
    receive,
    time,
  ],
];

import { type ChargeState, isWeighedOrder, type MoneyPlan, type Order } from './order.ts';

/*
 * Which movements of money each step of an order makes, by the plan under which it is paid (docs/payments.md#plans).
 * The charge state tells how far they are.
 */

/** What a step moves, in the words of the documented table. */
export const MOVEMENTS = {
  nothing: 'nothing',
  charge: 'charges the total',
  charge_maximum: 'charges the maximum',
  authorize: 'authorizes the maximum',
  leave_due: 'leaves the total due at handoff',
  capture: 'captures the final amount',
  refund_excess: 'refunds the maximum minus the final amount',
  lower: 'lowers the final amount',
  collect: 'collects the amount due and counts it as charged',
  record: 'records the amount collected',
  refund: 'refunds',
  void: 'voids the authorization and refunds later tips',
  end_due: 'ends what is due',
  charge_tip: 'charges the raise',
  raise_due: 'raises the amount due',
  note: 'changes the reported total',
  refuse: 'returns `refund_not_allowed`',
} as const;
export type Movement = keyof typeof MOVEMENTS;

type Step = 'place' | 'change' | 'leave' | 'complete' | 'cancel' | 'give_up' | 'refund' | 'tip';

const NOTHING = { place: 'nothing', leave: 'nothing', complete: 'nothing', refund: 'refuse' } as const;
const BY_CARD = { ...NOTHING, cancel: 'refund', give_up: 'refund', refund: 'refund', tip: 'charge_tip' } as const;
const AT_HANDOFF = { ...NOTHING, place: 'leave_due', change: 'lower', cancel: 'end_due', give_up: 'end_due' } as const;

/** The movements of each plan's steps. `leave`: the store hands the order off; `give_up`: its courier never arrives. */
export const MONEY = {
  charged: { ...BY_CARD, place: 'charge', change: 'refund' },
  held: { ...BY_CARD, place: 'authorize', change: 'lower', leave: 'capture', cancel: 'void' },
  maximum_charged: { ...BY_CARD, place: 'charge_maximum', change: 'lower', leave: 'refund_excess' },
  collected: { ...AT_HANDOFF, complete: 'collect', refund: 'refund', tip: 'raise_due' },
  paid_to_store: { ...AT_HANDOFF, complete: 'record', tip: 'raise_due' },
  external: { ...NOTHING, change: 'note', cancel: 'note', give_up: 'note', tip: 'note' },
  free: { ...BY_CARD, change: 'refund' },
} as const satisfies Readonly<Record<MoneyPlan, Readonly<Record<Step, Movement>>>>;

type Planned = Pick<Order, 'moneyPlan'>;
type Charged = Pick<Order, 'moneyPlan' | 'chargeState' | 'capturedCents'>;

/** The movement of a placed order's step; an unplaced order moves nothing. */
export const movementOf = ({ moneyPlan }: Planned, step: Step): Movement =>
  moneyPlan === null ? 'nothing' : MONEY[moneyPlan][step];

/** Whether this service charges the order, or notes cash as its charge. */
export const isChargedHere = (order: Planned): boolean => movementOf(order, 'refund') === 'refund';

/** The plan of an order that is placed, by the status of its charge; without one, nothing is charged. */
export function planOf({ request, quote }: Pick<Order, 'request' | 'quote'>, charge?: string): MoneyPlan {
  const { chargeUser, placedBy } = request;
  if (!chargeUser) return placedBy === 'store' && quote.totalWithTipCents > 0 ? 'paid_to_store' : 'external';
  if (charge === undefined) return 'free';
  if (charge === 'to_collect') return 'collected';
  if (charge === 'authorized') return 'held';
  return isWeighedOrder(quote) ? 'maximum_charged' : 'charged';
}

type States = Partial<Record<Movement, ChargeState>>;
const UNCHARGED: States = { nothing: 'none', authorize: 'authorized', leave_due: 'to_collect' };

/** The charge state in which a plan begins. */
export const placedState = (plan: MoneyPlan): ChargeState => UNCHARGED[MONEY[plan].place] ?? 'charged';

/** Whether an order's maximum is held or charged, until its final amount is settled as it leaves its store. */
export function awaitsSettlement({ moneyPlan, chargeState, capturedCents }: Charged): boolean {
  if (moneyPlan === null || MONEY[moneyPlan].leave === 'nothing' || capturedCents !== null) return false;
  return chargeState === 'capturing' || chargeState === placedState(moneyPlan);
}

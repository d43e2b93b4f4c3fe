/** Exact model of the gateway's refunds during an order's life; the other half of the model. */
import {
  book,
  gatewayBack,
  isPending,
  type LifeModel,
  leftOf,
  lesser,
  type ModelRefund,
  takenOf,
} from './life-model.ts';

/** A refund made at the gateway itself, up to the charge's balance. */
export function modelOutside(model: LifeModel, charge: number, cents: bigint): bigint {
  const charged = model.charges[charge] ?? 0n;
  const made = lesser(cents, charged - gatewayBack(model, charge));
  if (made > 0n) model.outside.push({ charge, cents: made, isCounted: false });
  return made;
}

export type GatewayMood = 'answers' | 'silent' | 'loses_answers';

/** The gateway is called for every pending part, in booking order. */
export function modelAnswers(model: LifeModel, mood: GatewayMood): void {
  const pending = model.refunds.flatMap((refund) => refund.parts.map((part) => ({ refund, part })));
  for (const { refund, part } of pending) {
    if (part.state !== 'pending' || mood === 'silent') continue;
    const charged = model.charges[part.charge] ?? 0n;
    const fits = part.isMade || part.cents <= charged - gatewayBack(model, part.charge);
    if (fits) part.isMade = true;
    if (fits && mood === 'answers') part.state = 'done';
    // A canceled order keeps retrying its outstanding refund.
    if (!fits && model.status !== 'canceled') part.state = 'failed';
    bookRest(model, refund);
  }
}

/** The service finds refunds made at the gateway itself, after it tried its own. */
export function modelNotice(model: LifeModel): void {
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
    model.refunds.push({
      kind: 'outside',
      units: [],
      tip: 0n,
      parts: [{ charge, cents, isMade: true, state: 'done' }],
    });
    bookRest(model, undefined);
  }
}

/** A canceled order refunds its whole balance once a refund has ended. */
function bookRest(model: LifeModel, ended: ModelRefund | undefined): void {
  if (model.status !== 'canceled' || (ended && isPending(ended))) return;
  if (leftOf(model) > 0n) book(model, 'canceled', leftOf(model));
}

import type { Mode } from '../../stores/mode.ts';
import { currencyFault, readPrice } from '../read-price.ts';
import { listOf } from './entity.ts';
import { firstText, numberOf, type StoreContext } from './store-context.ts';
import { type GraphEntity, given } from './store-graph.ts';

type Fee = { entity: GraphEntity; flat: number; percent: unknown; from: number };

/** Conditions of a fee that a store line cannot express. */
const CONDITIONS = ['pricePerMeter', 'eligibleRegion', 'serviceAreaId', 'validFrom', 'validThrough'];

/**
 * The fees of the services. Delivery: the delivery fee of the lowest cart value, the other delivery fees as thresholds,
 * and the service fee. Takeout: the service fee.
 */
export function feesOf(context: StoreContext, services: readonly { service: GraphEntity; mode: Mode }[]): object {
  const of = (mode: Mode, type: string) =>
    services
      .filter((one) => one.mode === mode)
      .flatMap(({ service }) => context.graph.below(service, 'Fee'))
      .filter((fee) => firstText(fee, 'feeType').toUpperCase() === type)
      .flatMap((fee) => readFee(context, fee))
      .sort((a, b) => a.from - b.from);
  const [delivery, ...thresholds] = of('delivery', 'DELIVERY');
  return {
    ...(delivery ? { delivery_fee: deliveryFee(context, delivery, thresholds) } : {}),
    ...serviceFee(context, 'service_fee', of('delivery', 'SERVICE')),
    ...serviceFee(context, 'pickup_service_fee', of('pickup', 'SERVICE')),
  };
}

function deliveryFee({ notes }: StoreContext, first: Fee, thresholds: readonly Fee[]): object {
  const amounts = (fee: Fee) => ({ delivery_fee_flat: fee.flat, delivery_fee_percent: fee.percent });
  return notes.from(first.entity.label, {
    ...amounts(first),
    threshold_fees: thresholds.map((fee) =>
      notes.from(fee.entity.label, { minimum_subtotal: fee.from, ...amounts(fee) }),
    ),
  });
}

/** The first service fee: a store line has one service fee for every cart value. */
function serviceFee({ notes }: StoreContext, key: string, [fee, ...more]: readonly Fee[]): object {
  for (const { entity } of more) notes.warn(entity.label, '', 'expected one service fee; left out');
  if (!fee) return {};
  return {
    [key]: notes.from(fee.entity.label, { service_fee_flat: fee.flat, service_fee_percent: fee.percent }),
  };
}

function readFee({ notes, country }: StoreContext, entity: GraphEntity): Fee[] {
  if (CONDITIONS.some((key) => given(entity, key) !== undefined)) {
    notes.warn(entity.label, '', `expected a fee without ${CONDITIONS.join(', ')}; left out`);
    return [];
  }
  const currency = currencyFault(given(entity, 'priceCurrency'), country);
  if (currency !== null) notes.fault(entity.label, 'priceCurrency', currency);
  const cents = (key: string): number => {
    const value = listOf(given(entity, key))[0];
    if (value === undefined) return 0;
    const price = readPrice(value, country);
    if (!price.ok) notes.fault(entity.label, key, price.expected);
    return price.ok ? price.cents : 0;
  };
  const percent = numberOf(entity, 'percentageOfCart') ?? 0;
  return [{ entity, flat: cents('price'), percent, from: cents('eligibleTransactionVolumeMin') }];
}

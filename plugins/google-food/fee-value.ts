import { currencyFault, type Mode, readPrice } from 'doorstep/plugin';
import { asList, referenceId } from './entity.ts';
import { decimalProperty, entityValue, firstText, type GraphEntity, type RestaurantContext } from './store-graph.ts';

/* Fees of Google's food feed (`Fee` entities of services and areas) as a store's fees. */

type Amounts = { entity: GraphEntity; flat: number; percent: unknown; from: number };

/** A service's fee. `areas` limits it to service areas; null for all. */
export type GoogleServiceFee = Amounts & {
  service: GraphEntity;
  mode: Mode;
  type: string;
  areas: readonly string[] | null;
};

const CONDITIONS = ['pricePerMeter', 'validFrom', 'validThrough'];
const AREAS = ['eligibleRegion', 'serviceAreaId'];

/** The services' fees that a store line can express; other fees are warnings. */
export function readServiceFees(
  context: RestaurantContext,
  services: readonly { service: GraphEntity; mode: Mode }[],
): GoogleServiceFee[] {
  return services.flatMap(({ service, mode }) =>
    context.graph.below(service, 'Fee').flatMap((entity) => {
      const type = firstText(entity, 'feeType').toUpperCase();
      return type === 'DELIVERY' || type === 'SERVICE' ? readFee(context, { entity, service, mode, type }) : [];
    }),
  );
}

/**
 * The store's fees, by mode. Delivery: the lowest cart value's delivery fee, the others as thresholds, and the
 * service fee. Takeout: the service fee. With several delivery services, the first applies.
 */
export function googleFees(context: RestaurantContext, fees: readonly GoogleServiceFee[]): object {
  const of = (mode: Mode, type: string) => fees.filter((fee) => fee.mode === mode && fee.type === type);
  const everywhere = of('delivery', 'DELIVERY').filter(({ areas }) => areas === null);
  return {
    ...deliveryFeeOf(
      context,
      everywhere.filter(({ service }) => service === everywhere[0]?.service),
    ),
    ...serviceFee(context, 'service_fee', of('delivery', 'SERVICE')),
    ...serviceFee(context, 'pickup_service_fee', of('pickup', 'SERVICE')),
  };
}

/** A service's delivery fee in one of its areas, if it differs from the store's. */
export function areaFeeOf(
  context: RestaurantContext,
  fees: readonly GoogleServiceFee[],
  { service, area }: { service: GraphEntity; area: GraphEntity },
): { delivery_fee?: object } {
  const delivery = fees.filter(({ mode, type }) => mode === 'delivery' && type === 'DELIVERY');
  const ofService = delivery.filter((fee) => fee.service === service);
  const ofArea = ofService.filter(({ areas }) => areas?.includes(area.id));
  const everywhere = ofService.filter(({ areas }) => areas === null);
  const ofStore = delivery.find(({ areas }) => areas === null)?.service;
  if (ofArea.length === 0 && (ofStore === undefined || ofStore === service)) return {};
  // An area's own fee replaces the service's fee for the same cart value.
  const kept = everywhere.filter(({ from }) => ofArea.every((fee) => fee.from !== from));
  const own = deliveryFeeOf(context, [...ofArea, ...kept]);
  return 'delivery_fee' in own ? own : { delivery_fee: {} };
}

function deliveryFeeOf(context: RestaurantContext, fees: readonly Amounts[]): { delivery_fee?: object } {
  const [first, ...thresholds] = fees.toSorted((a, b) => a.from - b.from);
  return first ? { delivery_fee: deliveryFee(context, first, thresholds) } : {};
}

function deliveryFee({ notes }: RestaurantContext, first: Amounts, thresholds: readonly Amounts[]): object {
  const amounts = (fee: Amounts) => ({ delivery_fee_flat: fee.flat, delivery_fee_percent: fee.percent });
  return notes.from(first.entity.label, {
    ...amounts(first),
    threshold_fees: thresholds.map((fee) =>
      notes.from(fee.entity.label, { minimum_subtotal: fee.from, ...amounts(fee) }),
    ),
  });
}

/** The first service fee, because a store line has only one, for all cart values. */
function serviceFee({ notes }: RestaurantContext, key: string, [fee, ...more]: readonly Amounts[]): object {
  for (const { entity } of more) notes.warn(entity.label, '', 'expected one service fee; left out');
  if (!fee) return {};
  return {
    [key]: notes.from(fee.entity.label, { service_fee_flat: fee.flat, service_fee_percent: fee.percent }),
  };
}

function readFee(
  context: RestaurantContext,
  { entity, ...fee }: Pick<GoogleServiceFee, 'entity' | 'service' | 'mode' | 'type'>,
): GoogleServiceFee[] {
  const { notes, country, graph } = context;
  const leftOut = (why: string): GoogleServiceFee[] => {
    notes.warn(entity.label, '', `${why}; left out`);
    return [];
  };
  if (CONDITIONS.some((key) => entityValue(entity, key) !== undefined)) {
    return leftOut(`expected a fee without ${CONDITIONS.join(', ')}`);
  }
  const named = AREAS.flatMap((key) => asList(entityValue(entity, key)).map(referenceId));
  const known = graph.below(fee.service, 'ServiceArea').map(({ id }) => id);
  if (named.some((id) => fee.type !== 'DELIVERY' || !known.includes(id))) {
    return leftOut(`expected ${AREAS.join(' or ')} of a delivery fee, and an area of its service`);
  }
  const currency = currencyFault(entityValue(entity, 'priceCurrency'), country);
  if (currency !== null) notes.fault(entity.label, 'priceCurrency', currency);
  const cents = (key: string): number => {
    const value = asList(entityValue(entity, key))[0];
    if (value === undefined) return 0;
    const price = readPrice(value, country);
    if (!price.ok) notes.fault(entity.label, key, price.expected);
    return price.ok ? price.cents : 0;
  };
  const percent = decimalProperty(entity, 'percentageOfCart') ?? 0;
  const amounts = { flat: cents('price'), percent, from: cents('eligibleTransactionVolumeMin') };
  return [{ entity, ...fee, ...amounts, areas: named.length === 0 ? null : named }];
}

import {
  type Area,
  areaFaults,
  countPositions,
  type LongitudeLatitude,
  MAX_AREA_POSITIONS,
  milesBetween,
} from 'doorstep/search-engine/geography';
import { isExactPercent, isOnClass, percentOn } from '../pricing/taxes.ts';
import { FEED_LIMITS, type FeedObject, type FeedPath } from '../stores/feed-fields.ts';
import {
  DEFAULT_RADIUS_MILES,
  type DeliveryFee,
  type DeliveryParty,
  type DeliverySettings,
  type DeliveryZone,
  type Fees,
  MODE_OFF,
  type PartyFees,
  type PickupSettings,
  plainParty,
  plainZone,
  type Reach,
  type ServiceFee,
  type SmallOrderFee,
  type TaxRate,
} from '../stores/store.ts';
import { TAX_CLASSES, type TaxClass, taxClassOf } from '../stores/tax-class.ts';

/**
 * Reads how a store line offers delivery and pickup: minutes, fees, order minimums, and where it delivers (radius, area
 * or zones).
 */

const PARTIES = ['first', 'third', 'courier'] as const;
/** The three ways to describe where a party delivers; exactly one is used. */
const REACH_FIELDS = ['radius_miles', 'area', 'zones'] as const;

/**
 * Settings of one mode. A mode that the feed describes is offered unless it has `enabled: false`; an absent mode is
 * not.
 */
export function readModeSettings(settings: FeedObject | undefined): PickupSettings {
  if (!settings) return MODE_OFF;
  return {
    enabled: settings.flag('enabled', true),
    accepting: settings.flag('accepting', true),
    prepMinutes: readPrepMinutes(settings) ?? MODE_OFF.prepMinutes,
  };
}

/** Delivery with its parties. A party without its own reach uses the reach of `delivery`. */
export function readDelivery(
  from: FeedObject,
  { latitude, longitude }: Pick<AreaStore, 'latitude' | 'longitude'>,
): DeliverySettings {
  const delivery = from.object('delivery');
  if (!delivery) return { ...MODE_OFF, parties: [plainParty()] };
  const store: AreaStore = { latitude, longitude, positionsLeft: FEED_LIMITS.deliveryPositions };
  const parties = readParties(delivery, store);
  const areas = parties.flatMap(({ zones }) => zones.flatMap(({ reach }) => ('area' in reach ? reach.area : [])));
  if (store.positionsLeft < 0 || countPositions(areas) > FEED_LIMITS.deliveryPositions) {
    from.fault('delivery', `expected at most ${FEED_LIMITS.deliveryPositions} positions in all areas together`);
  }
  return { ...readModeSettings(delivery), parties };
}

function readParties(delivery: FeedObject, store: AreaStore): DeliveryParty[] {
  const zones = readZones(delivery, store) ?? [plainZone({ radiusMiles: DEFAULT_RADIUS_MILES })];
  const party = delivery.choice('party', PARTIES);
  if (!delivery.has('parties')) return [{ ...plainParty(party), zones }];
  if (party !== undefined) delivery.fault('party', 'expected only without parties');
  if (isEmptyList(delivery, 'parties')) delivery.fault('parties', 'expected at least one party');
  return delivery.objects('parties', FEED_LIMITS.deliveryParties).map((one) => readParty(one, store, zones));
}

function readParty(from: FeedObject, store: AreaStore, zones: readonly DeliveryZone[]): DeliveryParty {
  from.requirePresent('party');
  return {
    party: from.choice('party', PARTIES) ?? 'first',
    accepting: from.flag('accepting', true),
    zones: readZones(from, store) ?? zones,
    fees: readPartyFees(from),
    prepMinutes: readPrepMinutes(from) ?? null,
  };
}

/** Where `delivery` or a party delivers; undefined if not stated. */
function readZones(from: FeedObject, store: AreaStore): readonly DeliveryZone[] | undefined {
  const [first, second] = REACH_FIELDS.filter((key) => from.has(key));
  if (second !== undefined) from.fault(second, `expected one of ${REACH_FIELDS.join(', ')}`);
  if (first === undefined) return undefined;
  if (first !== 'zones') return [plainZone(readReach(from, store))];
  if (isEmptyList(from, 'zones')) from.fault('zones', 'expected at least one zone');
  return from.objects('zones', FEED_LIMITS.deliveryZones).map((zone) => readZone(zone, store));
}

function isEmptyList(from: FeedObject, key: string): boolean {
  const value = from.value(key);
  return Array.isArray(value) && value.length === 0;
}

function readZone(from: FeedObject, store: AreaStore): DeliveryZone {
  if (from.has('area') === from.has('radius_miles')) from.fault('area', 'expected area or radius_miles, and not both');
  const fee = from.object('delivery_fee');
  return {
    reach: readReach(from, store),
    deliveryFee: fee ? readDeliveryFee(fee) : null,
    orderMinimumCents: from.cents('order_minimum') ?? null,
    prepMinutes: readPrepMinutes(from) ?? null,
  };
}

/** Reads the area, otherwise the radius. The result is meaningless if the report contains an error of either. */
function readReach(from: FeedObject, store: AreaStore): Reach {
  const area = readArea(from, 'area', store);
  if (area) return { area };
  return { radiusMiles: from.number('radius_miles', { min: 0, max: FEED_LIMITS.radiusMiles }) ?? DEFAULT_RADIUS_MILES };
}

function readPartyFees(from: FeedObject): PartyFees | null {
  const fees = from.object('fees');
  if (!fees) return null;
  const read = <T>(key: string, reader: (fee: FeedObject) => T): T | null => {
    const fee = fees.object(key);
    return fee ? reader(fee) : null;
  };
  return {
    deliveryFee: read('delivery_fee', readDeliveryFee),
    serviceFee: read('service_fee', readServiceFee),
    smallOrderFee: read('small_order_fee', readSmallOrderFee),
    orderMinimumCents: fees.cents('order_minimum') ?? null,
  };
}

function readPrepMinutes(settings: FeedObject): readonly [number, number] | undefined {
  const value = settings.value('prep_minutes');
  if (value === undefined) return undefined;
  const [min, max]: readonly unknown[] = Array.isArray(value) && value.length === 2 ? value : [];
  if (isMinutes(min) && isMinutes(max) && min <= max && max <= FEED_LIMITS.prepMinutes) return [min, max];
  settings.fault('prep_minutes', 'expected the least and the most minutes, two whole numbers');
  return undefined;
}

function isMinutes(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

type Place = { latitude: number; longitude: number };

/** A store whose areas are being read, and how many positions its line may still have. */
type AreaStore = Place & { positionsLeft: number };

const SHAPES = ['Polygon', 'MultiPolygon'] as const;

/**
 * Reads a GeoJSON Polygon or MultiPolygon (RFC 7946); undefined if absent or faulty. Positions must be within the
 * largest delivery radius, which catches swapped latitude and longitude. Areas beyond the line's position limit are
 * skipped, because the line is rejected anyway.
 */
function readArea(from: FeedObject, key: string, store: AreaStore): Area | undefined {
  const shape = from.object(key);
  if (!shape) return undefined;
  const type = shape.choice('type', SHAPES);
  for (const member of ['type', 'coordinates']) shape.requirePresent(member);
  const coordinates = shape.value('coordinates');
  if (type === undefined || coordinates === undefined) return undefined;
  const area = readPolygons(shape, type === 'Polygon' ? [coordinates] : coordinates, type === 'MultiPolygon');
  if (!area) return undefined;
  store.positionsLeft -= countPositions(area);
  if (store.positionsLeft < 0) return undefined;
  const faults = areaFaults(area);
  for (const fault of faults) shape.fault('coordinates', `expected a valid area; this one ${fault}`);
  if (faults.length > 0) return undefined;
  const far = farPosition(area, store);
  if (!far) return area;
  shape.fault(
    'coordinates',
    `expected [longitude, latitude] within ${FEED_LIMITS.radiusMiles} miles of the store, not [${far.join(', ')}]`,
  );
  return undefined;
}

/** Finds a position that is farther from the store than the largest delivery radius. */
export function farPosition(area: Area, store: Place): LongitudeLatitude | undefined {
  const isFar = ([longitude, latitude]: LongitudeLatitude) =>
    milesBetween(store, { latitude, longitude }) > FEED_LIMITS.radiusMiles;
  return area.flat(2).find(isFar);
}

/** A shape's polygons; undefined if a position, a ring or the number of positions is wrong. */
function readPolygons(shape: FeedObject, value: unknown, isMany: boolean): Area | undefined {
  const root: FeedPath = { parent: shape.path, key: 'coordinates' };
  const fault = (path: FeedPath, message: string): undefined => {
    shape.addFault(path, message);
  };
  let positions = 0;
  const read = <T>(
    list: unknown,
    path: FeedPath,
    member: (one: unknown, at: FeedPath) => T | undefined,
  ): T[] | undefined => {
    if (!Array.isArray(list) || list.length === 0) return fault(path, 'expected a list that is not empty');
    const members: T[] = [];
    for (const [index, one] of list.entries()) {
      const got = member(one, { parent: path, key: index });
      if (got === undefined) return undefined;
      members.push(got);
    }
    return members;
  };
  const readPosition = (one: unknown, at: FeedPath): LongitudeLatitude | undefined => {
    positions += 1;
    if (positions > MAX_AREA_POSITIONS) return fault(root, `expected at most ${MAX_AREA_POSITIONS} positions`);
    const [longitude, latitude]: readonly unknown[] = Array.isArray(one) ? one : [];
    if (typeof longitude === 'number' && typeof latitude === 'number') return [longitude, latitude];
    return fault(at, 'expected [longitude, latitude]');
  };
  const readRing = (one: unknown, at: FeedPath) => read(one, at, readPosition);
  return read(value, root, (one, at) => read(one, isMany ? at : root, readRing));
}

const PERCENT = { min: 0, max: FEED_LIMITS.percent };

/** A store's fees. An absent fee is zero; an absent sales tax is the state's or province's rate. */
export function readFees(from: FeedObject, taxClass: TaxClass): Fees {
  const fees = objectOrEmpty(from, 'fees');
  const pickupServiceFee = fees.object('pickup_service_fee');
  return {
    deliveryFee: readDeliveryFee(objectOrEmpty(fees, 'delivery_fee')),
    serviceFee: readServiceFee(objectOrEmpty(fees, 'service_fee')),
    pickupServiceFee: pickupServiceFee ? readServiceFee(pickupServiceFee) : null,
    smallOrderFee: readSmallOrderFee(objectOrEmpty(fees, 'small_order_fee')),
    orderMinimumCents: fees.cents('order_minimum') ?? 0,
    ...readSalesTax(fees, taxClass),
  };
}

const MAX_TAXES = 8;
const MAX_TAX_NAME = 20;
/**
 * Taxes by name, and the rate on the store's default class. Taxes of one name are on different classes, so that one
 * name may have several rates.
 */
function readSalesTax(fees: FeedObject, taxClass: TaxClass): Pick<Fees, 'salesTaxPercent' | 'taxes'> {
  const percent = fees.number('sales_tax_percent', PERCENT) ?? null;
  const taxes: TaxRate[] = [];
  for (const from of fees.objects('taxes', MAX_TAXES)) {
    const tax = readTax(from);
    const name = tax.name.toLowerCase();
    const isRepeated = TAX_CLASSES.some(
      (one) => [...taxes, tax].filter((known) => known.name.toLowerCase() === name && isOnClass(known, one)).length > 1,
    );
    if (tax.name !== '' && isRepeated) from.fault('name', 'expected unique within taxes of the same class');
    taxes.push(tax);
  }
  if (taxes.length === 0) return { salesTaxPercent: percent };
  const sums = TAX_CLASSES.map((one) => percentOn(taxes, one));
  if (sums.some((sum) => sum > FEED_LIMITS.percent)) {
    fees.fault('taxes', `expected at most ${FEED_LIMITS.percent} percent together`);
  }
  const sum = percentOn(taxes, taxClass);
  if (percent !== null && percent !== sum) {
    fees.fault('sales_tax_percent', `expected ${sum}, the sum of taxes on ${taxClass}; it may be left out`);
  }
  return { salesTaxPercent: sum, taxes };
}

function readTax(from: FeedObject): TaxRate {
  from.requirePresent('percent');
  const tax = { name: from.requireText('name', MAX_TAX_NAME), percent: from.number('percent', PERCENT) ?? 0 };
  if (!isExactPercent(tax.percent)) from.fault('percent', 'expected at most six decimals');
  if (!from.has('classes')) return tax;
  const list = from.list('classes', TAX_CLASSES.length);
  if (list.length === 0) from.fault('classes', 'expected a class; left out: every class but exempt');
  const classes = list.flatMap(({ value, path }) => {
    const known = taxClassOf(value);
    if (known !== null && known !== 'exempt') return [known];
    from.addFault(path, `expected one of ${TAX_CLASSES.join(', ')}, without exempt`);
    return [];
  });
  return { ...tax, classes: TAX_CLASSES.filter((one) => classes.some((known) => known === one)) };
}

const objectOrEmpty = (from: FeedObject, key: string): FeedObject => from.object(key) ?? from.with({});

function readDeliveryFee(from: FeedObject): DeliveryFee {
  return {
    flatCents: from.cents('delivery_fee_flat') ?? 0,
    percent: from.number('delivery_fee_percent', PERCENT) ?? 0,
    taxable: from.flag('delivery_fee_taxable', false),
    thresholds: from.objects('threshold_fees', FEED_LIMITS.feeThresholds).map((threshold) => {
      threshold.requirePresent('minimum_subtotal');
      return {
        minimumSubtotalCents: threshold.cents('minimum_subtotal') ?? 0,
        flatCents: threshold.cents('delivery_fee_flat') ?? 0,
        percent: threshold.number('delivery_fee_percent', PERCENT) ?? 0,
      };
    }),
  };
}

function readServiceFee(from: FeedObject): ServiceFee {
  const minCents = from.cents('service_fee_min') ?? 0;
  const maxCents = from.cents('service_fee_max') ?? null;
  if (maxCents !== null && minCents > maxCents) from.fault('service_fee_min', 'expected at most service_fee_max');
  return {
    flatCents: from.cents('service_fee_flat') ?? 0,
    percent: from.number('service_fee_percent', PERCENT) ?? 0,
    minCents,
    maxCents,
    taxable: from.flag('service_fee_taxable', false),
  };
}

function readSmallOrderFee(from: FeedObject): SmallOrderFee {
  return {
    minimumOrderCents: from.cents('minimum_order_value') ?? 0,
    flatCents: from.cents('small_order_fee_flat') ?? 0,
    percent: from.number('small_order_fee_percent', PERCENT) ?? 0,
  };
}

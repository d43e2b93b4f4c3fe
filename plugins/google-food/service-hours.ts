import type { Mode } from 'doorstep/plugin';
import {
  DATED_SPECS_LIMIT,
  type DatedRanges,
  type DatedSpec,
  EXCEPTIONS_LIMIT,
  lineExceptions,
  type MinuteRange,
  mergeDay,
  type OpenRange,
  PRICED_MODES,
  rangesOfSpecs,
  rangesOfWeek,
  rangesOn,
  readDatedSpec,
  UNREADABLE,
  weekdayHours,
  weekdayOfDay,
} from 'doorstep/plugin';
import { asList } from './entity.ts';
import { entityValue, firstText, type GraphEntity, isTrue, type RestaurantContext } from './store-graph.ts';

/** Weekly and dated hours of a restaurant's services, from ServiceHours, otherwise OperationHours. */

export type OfferedService = { service: GraphEntity; mode: Mode; hours: readonly GraphEntity[] };

/** The week of a service, undefined if the feed has none and null if it is unreadable, and its dates. */
type ServiceHours = { mode: Mode; week: readonly OpenRange[] | null | undefined; dates: DatedRanges };

/** The `hours` and `hours_exceptions` of a store line. */
export function hoursFieldsOf(context: RestaurantContext, services: readonly OfferedService[]): object {
  const read = services.map((service) => serviceHoursOf(context, service));
  return { hours: weeklyFieldsOf(read), ...exceptionsFieldOf(context, read) };
}

export const isAdvance = (hours: GraphEntity): boolean => firstText(hours, 'orderType').toUpperCase() === 'ADVANCE';

/**
 * A service's hours: from its ServiceHours for immediate orders, otherwise for advance orders, otherwise from its
 * OperationHours. Dates that ServiceHours lacks are from OperationHours.
 */
function serviceHoursOf(context: RestaurantContext, { service, mode, hours }: OfferedService): ServiceHours {
  const operation = context.graph.below(service, 'OperationHours');
  const usual = hours.filter((one) => !isDated(one));
  const atOnce = usual.filter((one) => !isAdvance(one));
  const stated = atOnce.length > 0 ? atOnce : usual;
  const week = openRanges(context, stated.length > 0 ? stated : operation.filter((one) => !isDated(one)));
  const dated = hours.filter((one) => isDated(one) && (!isAdvance(one) || atOnce.length === 0));
  const dates = new Map([
    ...rangesOfSpecs(datedSpecsOf(context, operation.filter(isDated))),
    ...rangesOfSpecs(datedSpecsOf(context, dated)),
  ]);
  return { mode, week, dates };
}

/** The store is open while any service is. Partly unreadable hours are unknown. */
function weeklyFieldsOf(services: readonly ServiceHours[]): object | undefined {
  const hoursOf = (some: readonly ServiceHours[]) => {
    const weeks = some.flatMap(({ week }) => (week === undefined ? [] : [week]));
    const isKnown = weeks.length > 0 && !weeks.includes(null);
    return isKnown ? weekdayHours(weeks.flatMap((week) => week ?? [])) : undefined;
  };
  const [delivery, pickup] = PRICED_MODES.map((mode) => hoursOf(services.filter((one) => one.mode === mode)));
  if (!delivery && !pickup) return undefined;
  return { operational: hoursOf(services), ...(delivery ? { delivery } : {}), ...(pickup ? { pickup } : {}) };
}

/**
 * Exceptions of a store: the dates of its services. A mode has its own hours on a date if they differ from the store's.
 */
function exceptionsFieldOf({ notes, graph }: RestaurantContext, services: readonly ServiceHours[]): object {
  const days = [...new Set(services.flatMap(({ dates }) => [...dates.keys()]))];
  if (days.length === 0) return {};
  const openOn = (day: number, of: readonly ServiceHours[]): readonly MinuteRange[] =>
    mergeDay(of.flatMap(({ dates, week }) => dates.get(day) ?? rangesOn(weekdayOfDay(day), week ?? [])));
  const store = new Map(days.map((day) => [day, openOn(day, services)]));
  const own = (['delivery', 'pickup'] as const).flatMap((mode) => {
    const ofMode = services.filter((one) => one.mode === mode);
    const all = ofMode.length === 0 ? [] : days.map((day) => [day, openOn(day, ofMode)] as const);
    const differing = all.filter(([day, ranges]) => JSON.stringify(ranges) !== JSON.stringify(store.get(day)));
    return lineExceptions(new Map(differing), mode);
  });
  const exceptions = [...lineExceptions(store, null), ...own];
  return { hours_exceptions: notes.atMost(graph.restaurant.label, '', exceptions, EXCEPTIONS_LIMIT) };
}

/** The ranges of entities with `opens`, `closes` and `dayOfWeek`, as `rangesOfWeek`. */
function openRanges({ notes }: RestaurantContext, entities: readonly GraphEntity[]) {
  const specs = entities.map((entity) => ({ ...specOf(entity), entity }));
  return rangesOfWeek(specs, ({ entity }, message) => notes.warn(entity.label, '', message));
}

function specOf(entity: GraphEntity) {
  const days = asList(entityValue(entity, 'dayOfWeek'));
  return { opens: entityValue(entity, 'opens'), closes: entityValue(entity, 'closes'), days };
}

const DATES = ['validFrom', 'validThrough'];

/** Whether the entity applies only to some dates. */
function isDated(entity: GraphEntity): boolean {
  const isBounded = DATES.some((key) => entityValue(entity, key) !== undefined);
  return isBounded || isTrue(entity, 'isSpecialHour');
}

/** Entities that apply to some dates. Each unreadable one is a warning. */
function datedSpecsOf(context: RestaurantContext, entities: readonly GraphEntity[]): readonly DatedSpec[] {
  const { graph, notes, timeZone } = context;
  const specs = entities.flatMap((entity) => {
    const [validFrom, validThrough] = DATES.map((key) => entityValue(entity, key));
    const read = readDatedSpec({ ...specOf(entity), validFrom, validThrough }, timeZone);
    if (!read.ok) notes.warn(entity.label, '', `expected hours of some dates: ${read.reason}; left out`);
    return read.ok ? [read.spec] : [];
  });
  return notes.atMost(graph.restaurant.label, '', specs, DATED_SPECS_LIMIT);
}

/** The menu hours of a section or product; undefined for all hours. */
export function availabilityOf(context: RestaurantContext, owner: GraphEntity): object | string | undefined {
  const entities = context.graph.below(owner, 'Availability');
  const dated = entities.find(isDated);
  if (dated)
    context.notes.warn(dated.label, '', 'expected regular weekly hours: it holds for some dates only; left unknown');
  const ranges = dated ? null : openRanges(context, entities);
  return ranges === null ? UNREADABLE : ranges && weekdayHours(ranges);
}

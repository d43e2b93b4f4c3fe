import { MAX_EXCEPTIONS } from '../../stores/hours-exceptions.ts';
import { lineExceptions, rangesOfSpecs, readDatedSpec } from '../dated-specs.ts';
import { type OpenRange, type OpenSpec, readOpenSpec, weekOf } from '../open-ranges.ts';
import { firstText, type LdNode, nodesOf, textOf } from './nodes.ts';
import { labelOf, type StoreContext } from './store-context.ts';

const DAY = '(?:Mo|Tu|We|Th|Fr|Sa|Su)';
const RULE = new RegExp(`^(${DAY}(?:\\s?[-,]\\s?${DAY})*)(?:\\s+(\\d{1,2}:\\d{2})\\s?-\\s?(\\d{1,2}:\\d{2}))?$`, 'i');
const DAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'];
const LONGEST_RULE = 100;
const MAX_RULES = 100;

const WEEKLY = 'openingHoursSpecification';
const SPECIAL = 'specialOpeningHoursSpecification';
const DATES = ['validFrom', 'validThrough'];

/** The hours of a store, from its specifications, else from its `openingHours` texts; undefined is unknown. */
export function hoursOf(context: StoreContext, store: LdNode): object | undefined {
  const specified = specifiedHours(context, store);
  if (specified) return { operational: weekOf(specified) };
  const rules = context.graph
    .values(store, 'openingHours')
    .flatMap((value) => textOf(value).split(';'))
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
    .slice(0, MAX_RULES);
  if (rules.length === 0) return undefined;
  const ranges = rules.map(readRule);
  if (ranges.every((range) => range !== null)) return { operational: weekOf(ranges.flat()) };
  // OpenStreetMap's reader decides any other text.
  return { operational: rules.join('; ') };
}

function specifiedHours(context: StoreContext, store: LdNode): OpenRange[] | null {
  const { graph, notes } = context;
  const kept = nodesOf(graph, store, WEEKLY).flatMap((node) => {
    if (isDated(context, node)) return [];
    const read = readOpenSpec({ ...specOf(context, node), onlyForATime: false });
    if (read.ok) return [read.ranges];
    notes.warn(labelOf(graph, store), WEEKLY, `expected regular weekly hours: ${read.reason}; left out`);
    return [];
  });
  return kept.length > 0 ? kept.flat() : null;
}

/** The specifications that hold on some dates, as `hours_exceptions`; of a clock in `timeZone`. */
export function exceptionsOf(context: StoreContext, store: LdNode, timeZone: string): { hours_exceptions?: object[] } {
  const { graph, notes } = context;
  const warn = (property: string, message: string) => notes.warn(labelOf(graph, store), property, message);
  const specs = [WEEKLY, SPECIAL].flatMap((property) =>
    nodesOf(graph, store, property).flatMap((node) => {
      if (property === WEEKLY && !isDated(context, node)) return [];
      const [validFrom, validThrough] = DATES.map((key) => firstText(graph, node, key));
      const read = readDatedSpec({ ...specOf(context, node), validFrom, validThrough }, timeZone);
      if (read.ok) return [read.spec];
      warn(property, `expected hours of some dates: ${read.reason}; left out`);
      return [];
    }),
  );
  const exceptions = lineExceptions(rangesOfSpecs(specs), null);
  if (exceptions.length > MAX_EXCEPTIONS)
    warn(SPECIAL, `expected at most ${MAX_EXCEPTIONS} hours of single dates; others left out`);
  return exceptions.length === 0 ? {} : { hours_exceptions: exceptions.slice(0, MAX_EXCEPTIONS) };
}

function isDated({ graph }: StoreContext, node: LdNode): boolean {
  return DATES.some((key) => graph.values(node, key).length > 0);
}

function specOf({ graph }: StoreContext, node: LdNode): Omit<OpenSpec, 'onlyForATime'> {
  const days = graph.values(node, 'dayOfWeek').map((day) => {
    const linked = graph.nodeOf(day);
    return linked ? (linked.id ?? firstText(graph, linked, 'name')) : textOf(day);
  });
  return { opens: firstText(graph, node, 'opens'), closes: firstText(graph, node, 'closes'), days };
}

/** `Mo-Fr 09:00-17:00`; without times, the whole day (schema.org, openingHours). */
function readRule(rule: string): readonly OpenRange[] | null {
  const [, days = '', opens = '00:00', closes = '23:59'] = (rule.length <= LONGEST_RULE && RULE.exec(rule)) || [];
  if (days === '') return null;
  const read = readOpenSpec({ opens, closes, days: daysOf(days), onlyForATime: false });
  return read.ok ? read.ranges : null;
}

function daysOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/\s/g, '')
    .split(',')
    .flatMap((part) => {
      const [first = '', last = first] = part.split('-');
      const from = DAYS.indexOf(first);
      const count = ((DAYS.indexOf(last) - from + DAYS.length) % DAYS.length) + 1;
      return Array.from({ length: count }, (_, n) => DAYS[(from + n) % DAYS.length] ?? '');
    });
}

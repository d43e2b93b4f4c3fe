import { type OpenRange, readOpenSpec, weekOf } from '../open-ranges.ts';
import { firstText, type LdNode, nodesOf, textOf } from './nodes.ts';
import { labelOf, type StoreContext } from './store-context.ts';

const DAY = '(?:Mo|Tu|We|Th|Fr|Sa|Su)';
const RULE = new RegExp(`^(${DAY}(?:\\s?[-,]\\s?${DAY})*)(?:\\s+(\\d{1,2}:\\d{2})\\s?-\\s?(\\d{1,2}:\\d{2}))?$`, 'i');
const DAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'];
const LONGEST_RULE = 100;
const MAX_RULES = 100;

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

function specifiedHours({ graph, notes }: StoreContext, store: LdNode): OpenRange[] | null {
  const kept = nodesOf(graph, store, 'openingHoursSpecification').flatMap((node) => {
    const days = graph.values(node, 'dayOfWeek').map((day) => {
      const linked = graph.nodeOf(day);
      return linked ? (linked.id ?? firstText(graph, linked, 'name')) : textOf(day);
    });
    const read = readOpenSpec({
      opens: firstText(graph, node, 'opens'),
      closes: firstText(graph, node, 'closes'),
      days,
      onlyForATime: ['validFrom', 'validThrough'].some((key) => graph.values(node, key).length > 0),
    });
    if (read.ok) return [read.ranges];
    const message = `expected regular weekly hours: ${read.reason}; left out`;
    notes.warn(labelOf(graph, store), 'openingHoursSpecification', message);
    return [];
  });
  return kept.length > 0 ? kept.flat() : null;
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

import { type OpenRange, readOpenSpec, weekOf } from '../open-ranges.ts';
import { listOf } from './entity.ts';
import { isTrue, type StoreContext } from './store-context.ts';
import { type GraphEntity, given } from './store-graph.ts';

/** The ranges of entities with `opens`, `closes` and `dayOfWeek`; null where no range could be kept. Each lost range is a warning. */
export function rangesOf({ notes }: StoreContext, entities: readonly GraphEntity[]): OpenRange[] | null {
  const kept = entities.flatMap((entity) => {
    const read = readOpenSpec({
      opens: given(entity, 'opens'),
      closes: given(entity, 'closes'),
      days: listOf(given(entity, 'dayOfWeek')),
      onlyForATime: ['validFrom', 'validThrough'].some((key) => given(entity, key) !== undefined) || isSpecial(entity),
    });
    if (!read.ok) notes.warn(entity.label, '', `expected regular weekly hours: ${read.reason}; left out`);
    return read.ok ? [read.ranges] : [];
  });
  return kept.length > 0 ? kept.flat() : null;
}

function isSpecial(entity: GraphEntity): boolean {
  return isTrue(entity, 'isSpecialHour');
}

/** The menu hours of a section or product; undefined means all hours. */
export function availabilityOf(context: StoreContext, owner: GraphEntity): object | undefined {
  const ranges = rangesOf(context, context.graph.below(owner, 'Availability'));
  return ranges ? weekOf(ranges) : undefined;
}

import { type DatedSpec, readDatedSpec } from '../dated-specs.ts';
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
      onlyForATime: isDated(entity),
    });
    if (!read.ok) notes.warn(entity.label, '', `expected regular weekly hours: ${read.reason}; left out`);
    return read.ok ? [read.ranges] : [];
  });
  return kept.length > 0 ? kept.flat() : null;
}

/** Whether the entity holds on some dates only. */
export function isDated(entity: GraphEntity): boolean {
  const isBounded = ['validFrom', 'validThrough'].some((key) => given(entity, key) !== undefined);
  return isBounded || isTrue(entity, 'isSpecialHour');
}

/** The entities that hold on some dates. Each that cannot be read is a warning. */
export function datedSpecsOf({ notes, timeZone }: StoreContext, entities: readonly GraphEntity[]): DatedSpec[] {
  return entities.flatMap((entity) => {
    const read = readDatedSpec(
      {
        opens: given(entity, 'opens'),
        closes: given(entity, 'closes'),
        days: listOf(given(entity, 'dayOfWeek')),
        validFrom: given(entity, 'validFrom'),
        validThrough: given(entity, 'validThrough'),
      },
      timeZone,
    );
    if (!read.ok) notes.warn(entity.label, '', `expected hours of some dates: ${read.reason}; left out`);
    return read.ok ? [read.spec] : [];
  });
}

/** The menu hours of a section or product; undefined means all hours. */
export function availabilityOf(context: StoreContext, owner: GraphEntity): object | undefined {
  const ranges = rangesOf(context, context.graph.below(owner, 'Availability'));
  return ranges ? weekOf(ranges) : undefined;
}

import { MINUTES_PER_DAY, type MinuteRange, WEEKDAYS, type WeeklyHours } from '../../src/supply/stores/hours.ts';
import { Button } from './button.tsx';
import { fieldTime, rangeOf, withDay, withEveryDay, withRange } from './hours-editing.ts';

const ALL_DAY: readonly MinuteRange[] = [{ startMinute: 0, endMinute: MINUTES_PER_DAY }];
const isAllDay = (ranges: readonly MinuteRange[]) =>
  ranges.length === 1 && ranges[0]?.startMinute === 0 && ranges[0].endMinute === MINUTES_PER_DAY;

type Props = { week: WeeklyHours | null; edit: (week: WeeklyHours) => void };

/** The hours of each day: closed, all day, or any number of ranges. */
export function WeekEditor({ week, edit }: Props) {
  const shown: WeeklyHours = week ?? [[], [], [], [], [], [], []];
  return (
    <ul class="rows week">
      {WEEKDAYS.map((name, day) => (
        <li key={name}>
          <Day name={name} ranges={shown[day] ?? []} edit={(ranges) => edit(withDay(shown, day, ranges))} />
          {day === 0 && (
            <Button kind="quiet" onPress={() => edit(withEveryDay(shown, day))}>
              Same on all days
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

type DayProps = { name: string; ranges: readonly MinuteRange[]; edit: (ranges: readonly MinuteRange[]) => void };

/** The ranges of one day, or of some dates. */
export function Day({ name, ranges, edit }: DayProps) {
  const state = isAllDay(ranges) ? 'all day' : ranges.length === 0 ? 'closed' : 'hours';
  return (
    <fieldset class="day">
      <legend>{name}</legend>
      <select
        aria-label={`${name}: open`}
        value={state}
        onChange={({ currentTarget: { value } }) =>
          edit(value === 'closed' ? [] : value === 'all day' ? ALL_DAY : withRange([]))
        }
      >
        <option value="closed">Closed</option>
        <option value="hours">Open</option>
        <option value="all day">24 hours</option>
      </select>
      {state === 'hours' && (
        <div class="ranges">
          {ranges.map((range, index) => (
            <Range
              key={index}
              name={name}
              range={range}
              change={(changed) => edit(ranges.map((each, at) => (at === index ? changed : each)))}
              remove={() => edit(ranges.filter((_, at) => at !== index))}
            />
          ))}
          <Button kind="quiet" label={`${name}: another range`} onPress={() => edit(withRange(ranges))}>
            + Range
          </Button>
        </div>
      )}
    </fieldset>
  );
}

type RangeProps = { name: string; range: MinuteRange; change: (range: MinuteRange) => void; remove: () => void };

function Range({ name, range, change, remove }: RangeProps) {
  const [start, end] = [fieldTime(range.startMinute), fieldTime(range.endMinute)];
  const set = (from: string, to: string) => {
    const changed = rangeOf(from, to);
    if (changed) change(changed);
  };
  return (
    <div class="range">
      <input
        type="time"
        aria-label={`${name}: from`}
        value={start}
        onChange={({ currentTarget }) => set(currentTarget.value, end)}
      />
      <span aria-hidden="true">–</span>
      <input
        type="time"
        aria-label={`${name}: to`}
        value={end}
        onChange={({ currentTarget }) => set(start, currentTarget.value)}
      />
      <Button kind="quiet" label={`${name}: remove ${start} to ${end}`} onPress={remove}>
        ×
      </Button>
    </div>
  );
}

import type { Format } from '../../src/platform/languages/format.ts';
import { isAllDay, rangeInWords } from '../../src/supply/stores/format-hours.ts';
import { type MinuteRange, WEEKDAYS, type WeeklyHours } from '../../src/supply/stores/hours.ts';
import { hours as say } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { BareField } from '../field.tsx';
import { ALL_DAY, fieldTime, rangeOf, withDay, withEveryDay, withRange } from './hours-editing.ts';

/* Fields of opening hours by weekday, shared by weekly hours and dates. */

type Props = { format: Format; week: WeeklyHours | null; edit: (week: WeeklyHours) => void };

/** Opening hours of each day: closed, all day, or any number of ranges. */
export function WeekEditor({ format, week, edit }: Props) {
  const shown: WeeklyHours = week ?? [[], [], [], [], [], [], []];
  return (
    <ul class="rows week">
      {WEEKDAYS.map((weekday, day) => (
        <li key={weekday}>
          <Day
            name={format.weekday(day)}
            format={format}
            ranges={shown[day] ?? []}
            edit={(ranges) => edit(withDay(shown, day, ranges))}
          />
          {day === 0 && <Button kind="quiet" onPress={() => edit(withEveryDay(shown, day))} text={say.copyToAll} />}
        </li>
      ))}
    </ul>
  );
}

type DayProps = {
  name: string;
  format: Format;
  ranges: readonly MinuteRange[];
  edit: (ranges: readonly MinuteRange[]) => void;
};

/** The ranges of one day, or of some dates. */
export function Day({ name, format, ranges, edit }: DayProps) {
  const state = isAllDay(ranges) ? 'all day' : ranges.length === 0 ? 'closed' : 'hours';
  return (
    <fieldset class="day">
      <legend>{name}</legend>
      <select
        aria-label={say.stateOf({ day: name })}
        value={state}
        onChange={({ currentTarget: { value } }) =>
          edit(value === 'closed' ? [] : value === 'all day' ? ALL_DAY : withRange([]))
        }
      >
        <option value="closed">{say.closed}</option>
        <option value="hours">{say.open}</option>
        <option value="all day">{say.allDay}</option>
      </select>
      {state === 'hours' && (
        <div class="ranges">
          {ranges.map((range, index) => (
            <Range
              key={index}
              name={name}
              format={format}
              range={range}
              change={(changed) => edit(ranges.map((each, at) => (at === index ? changed : each)))}
              remove={() => edit(ranges.filter((_, at) => at !== index))}
            />
          ))}
          <Button
            kind="quiet"
            label={say.addRangeTo({ day: name })}
            onPress={() => edit(withRange(ranges))}
            text={say.addRange}
          />
        </div>
      )}
    </fieldset>
  );
}

type RangeProps = {
  name: string;
  format: Format;
  range: MinuteRange;
  change: (range: MinuteRange) => void;
  remove: () => void;
};

function Range({ name, format, range, change, remove }: RangeProps) {
  const [start, end] = [fieldTime(range.startMinute), fieldTime(range.endMinute)];
  const set = (from: string, to: string) => {
    const changed = rangeOf(from, to);
    if (changed) change(changed);
  };
  return (
    <div class="range">
      <BareField type="time" label={say.from({ day: name })} value={start} set={(typed) => set(typed, end)} />
      <span aria-hidden="true">–</span>
      <BareField type="time" label={say.to({ day: name })} value={end} set={(typed) => set(start, typed)} />
      <Button
        kind="quiet"
        label={say.removeRange({ day: name, range: rangeInWords(range, format) })}
        onPress={remove}
        text="×"
      />
    </div>
  );
}

import { useState } from 'preact/hooks';
import type { Format } from '../../src/platform/languages/format.ts';
import { formatDay } from '../../src/supply/stores/format-hours.ts';
import type { MinuteRange } from '../../src/supply/stores/hours.ts';
import { readDay } from '../../src/supply/stores/read-hours.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import {
  type DatedException,
  dropPastExceptions,
  faultOfDates,
  rangeInWords,
  upcomingExceptions,
  withoutEntry,
} from './hours-editing.ts';
import { Alert } from './notices.tsx';
import type { StoreDesk } from './use-store.ts';
import { Day, isAllDay } from './week-editor.tsx';

/* Hours exceptions: holidays and other dates, closed or with hours of their own. */

const { dates: say } = words;
const { incomplete, noFirst, lastBeforeFirst, past } = say;
const FAULTS = { incomplete, noFirst, lastBeforeFirst, past };
const CHANNEL_WORDS: Readonly<Record<string, string>> = { '': say.everything, ...words.hours.channel };

type Props = { context: ConsoleContext; store: StoreDesk; tell: (text: string) => void };
type EditList = (list: readonly DatedException[]) => readonly DatedException[];

/** Days with hours other than the weekly ones. */
export function DatesPanel({ context, store, tell }: Props) {
  const { settings, busy, errorOf, change } = store;
  if (!settings) return null;
  const { format } = context;
  const { hours_exceptions: list, own_hours_exceptions: isOwn } = settings;
  const today = context.clock.date(context.now());
  const coming = upcomingExceptions(list, today);

  async function save(edited: EditList | null, done: string): Promise<boolean> {
    const isSaved = await change('dates', 'PUT', '/store/hours', ({ hours_exceptions: now }) => ({
      hours_exceptions: edited && dropPastExceptions(edited(now), today),
    }));
    if (isSaved) tell(done);
    return isSaved;
  }

  return (
    <section class="panel" aria-labelledby="dates">
      <h2 id="dates">{say.title}</h2>
      <p class="hint">{isOwn ? say.own : say.listed}</p>
      <ul class="rows">
        {coming.map(({ exception, index }) => (
          <li key={index}>
            <p>
              <strong>{format.dates(exception.from, exception.to)}</strong>
              <span class="soft">{hoursInWords(exception, format)}</span>
            </p>
            <Button
              isBusy={busy === 'dates'}
              label={say.removeOf({
                dates: format.dates(exception.from, exception.to),
                hours: hoursInWords(exception, format),
              })}
              onPress={() => save((now) => withoutEntry(now, exception), say.removed)}
            >
              {say.remove}
            </Button>
          </li>
        ))}
        {coming.length === 0 && <li class="soft">{say.none}</li>}
      </ul>
      <AddDates
        format={format}
        today={today}
        isBusy={busy === 'dates'}
        add={(exception) => save((now) => [...now, exception], say.saved)}
      />
      <Alert text={errorOf('dates')} />
      {isOwn && (
        <Button isBusy={busy === 'dates'} onPress={() => save(null, say.listedAgain)}>
          {say.useListed}
        </Button>
      )}
    </section>
  );
}

function hoursInWords({ hours, channel }: DatedException, format: Format): string {
  const shown = dayInWords(hours, format);
  const words = CHANNEL_WORDS[channel ?? ''];
  return channel === null || words === undefined ? shown : say.hoursOf({ channel: words, hours: shown });
}

/** A day's hours, which the Store API has in English, in the page's language. */
function dayInWords(hours: string, format: Format): string {
  const ranges = readDay(hours);
  if (ranges === null) return hours;
  if (ranges.length === 0) return words.hours.closed;
  return isAllDay(ranges) ? words.hours.allDay : ranges.map((range) => rangeInWords(range, format)).join(', ');
}

type AddProps = {
  format: Format;
  today: string;
  isBusy: boolean;
  add: (exception: DatedException) => Promise<boolean>;
};

/** A form for a new entry. It is cleared once the entry is saved. */
function AddDates({ format, today, isBusy, add }: AddProps) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [channel, setChannel] = useState('');
  const [ranges, setRanges] = useState<readonly MinuteRange[]>([]);
  const [fault, setFault] = useState('');

  /** The last day follows the first day until another one is chosen. */
  function chooseFirst(day: string): void {
    setFrom(day);
    if (to === '' || to === from) setTo(day);
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    const found = isIncompleteDate(form) ? 'incomplete' : faultOfDates({ from, to }, today);
    setFault(found === undefined ? '' : FAULTS[found]);
    if (found !== undefined) return;
    const hours = formatDay(ranges);
    if (!(await add({ from, to: to || from, hours, channel: channel === '' ? null : channel }))) return;
    setFrom('');
    setTo('');
    setRanges([]);
  }

  return (
    <form
      class="dates"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <div class="fields">
        <label class="field">
          {say.first}
          <input
            type="date"
            value={from}
            min={today}
            onInput={({ currentTarget }) => chooseFirst(currentTarget.value)}
          />
        </label>
        <label class="field">
          {say.last}
          <input
            type="date"
            value={to}
            min={from || today}
            onInput={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </label>
        <label class="field">
          {say.hoursFor}
          <select value={channel} onChange={({ currentTarget }) => setChannel(currentTarget.value)}>
            {Object.entries(CHANNEL_WORDS).map(([each, shown]) => (
              <option key={each} value={each}>
                {shown}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Day name={say.theseDays} format={format} ranges={ranges} edit={setRanges} />
      <Alert text={fault} />
      <Button kind="primary" submit isBusy={isBusy}>
        {say.add}
      </Button>
    </form>
  );
}

/** Whether a date is partial or invalid, which browsers report as an empty value. */
function isIncompleteDate(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll<HTMLInputElement>('input[type=date]')].some(({ validity }) => validity.badInput);
}

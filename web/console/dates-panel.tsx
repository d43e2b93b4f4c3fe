import { useState } from 'preact/hooks';
import type { MinuteRange } from '../../src/supply/stores/hours.ts';
import { formatDay } from '../../src/supply/stores/parse-hours.ts';
import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import {
  comingExceptions,
  type DatedException,
  datesInWords,
  faultOfDates,
  withoutEntry,
  withoutPast,
} from './hours-editing.ts';
import { Alert } from './notices.tsx';
import type { StoreDesk } from './use-store.ts';
import { Day } from './week-editor.tsx';

const CHANNELS = [
  { channel: '', words: 'Everything' },
  { channel: 'operational', words: 'Opening hours' },
  { channel: 'delivery', words: 'Delivery' },
  { channel: 'pickup', words: 'Pickup' },
  { channel: 'dine_in', words: 'Tables' },
] as const;

type Props = { context: ConsoleContext; store: StoreDesk; tell: (text: string) => void };
type EditList = (list: readonly DatedException[]) => readonly DatedException[];

/** Days on which other hours count than those of the week. */
export function DatesPanel({ context, store, tell }: Props) {
  const { settings, busy, errorOf, change } = store;
  if (!settings) return null;
  const { hours_exceptions: list, own_hours_exceptions: isOwn } = settings;
  const today = context.clock.date(context.now());
  const coming = comingExceptions(list, today);

  async function save(edited: EditList | null, words: string): Promise<boolean> {
    const isSaved = await change('dates', 'PUT', '/store/hours', ({ hours_exceptions: now }) => ({
      hours_exceptions: edited && withoutPast(edited(now), today),
    }));
    if (isSaved) tell(words);
    return isSaved;
  }

  return (
    <section class="panel" aria-labelledby="dates">
      <h2 id="dates">Holidays and other days</h2>
      <p class="hint">
        {isOwn ? 'Set by the store.' : 'From the feed of the store; days that are set here replace them.'}
      </p>
      <ul class="rows">
        {coming.map(({ exception, index }) => (
          <li key={index}>
            <p>
              <strong>{datesInWords(exception)}</strong>
              <span class="soft">{hoursInWords(exception)}</span>
            </p>
            <Button
              isBusy={busy === 'dates'}
              label={`Remove ${datesInWords(exception)}, ${hoursInWords(exception)}`}
              onPress={() => save((now) => withoutEntry(now, exception), 'The day is removed.')}
            >
              Remove
            </Button>
          </li>
        ))}
        {coming.length === 0 && <li class="soft">No such days.</li>}
      </ul>
      <AddDates
        today={today}
        isBusy={busy === 'dates'}
        add={(exception) => save((now) => [...now, exception], 'The days are saved.')}
      />
      <Alert text={errorOf('dates')} />
      {isOwn && (
        <Button isBusy={busy === 'dates'} onPress={() => save(null, 'The days of the feed count again.')}>
          Back to the days of the feed
        </Button>
      )}
    </section>
  );
}

function hoursInWords({ hours, channel }: DatedException): string {
  const words = CHANNELS.find((each) => each.channel === channel)?.words;
  return channel === null || words === undefined ? hours : `${words}: ${hours}`;
}

type AddProps = { today: string; isBusy: boolean; add: (exception: DatedException) => Promise<boolean> };

/** A form for one more entry. It is empty again once the entry is saved. */
function AddDates({ today, isBusy, add }: AddProps) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [channel, setChannel] = useState('');
  const [ranges, setRanges] = useState<readonly MinuteRange[]>([]);
  const [fault, setFault] = useState('');

  /** The last day is the first day until another one is chosen. */
  function chooseFirst(day: string): void {
    setFrom(day);
    if (to === '' || to === from) setTo(day);
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    const found = isHalfTyped(form) ? 'Complete the dates.' : faultOfDates({ from, to }, today);
    setFault(found);
    if (found !== '') return;
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
          First day
          <input
            type="date"
            value={from}
            min={today}
            onInput={({ currentTarget }) => chooseFirst(currentTarget.value)}
          />
        </label>
        <label class="field">
          Last day
          <input
            type="date"
            value={to}
            min={from || today}
            onInput={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </label>
        <label class="field">
          Hours of
          <select value={channel} onChange={({ currentTarget }) => setChannel(currentTarget.value)}>
            {CHANNELS.map(({ channel: each, words }) => (
              <option key={each} value={each}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Day name="These days" ranges={ranges} edit={setRanges} />
      <Alert text={fault} />
      <Button kind="primary" submit isBusy={isBusy}>
        Add these days
      </Button>
    </form>
  );
}

/** Whether a date has some of its parts, or is none of the calendar: a browser gives its value as empty. */
function isHalfTyped(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll<HTMLInputElement>('input[type=date]')].some(({ validity }) => validity.badInput);
}

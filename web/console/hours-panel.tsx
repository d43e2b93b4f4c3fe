import { useState } from 'preact/hooks';
import type { Format } from '../../src/platform/languages/format.ts';
import { recordByName } from '../../src/platform/lib/records.ts';
import { formatDay, isAllDay, rangeInWords } from '../../src/supply/stores/format-hours.ts';
import {
  HOURS_KINDS,
  type HoursKind,
  type MinuteRange,
  type StoreHours,
  type WeeklyHours,
} from '../../src/supply/stores/hours.ts';
import { readDay, readHours } from '../../src/supply/stores/read-hours.ts';
import type { StoreSettings } from '../../src/surfaces/store-console/store.route.ts';
import { hours as say, store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Check, Field, Form, Select } from '../field.tsx';
import type { ConsoleContext } from './console-context.ts';
import {
  type DatedException,
  dropPastExceptions,
  hoursRequest,
  isSameWeek,
  mergeHours,
  upcomingExceptions,
  withoutEntry,
} from './hours-editing.ts';
import { Alert } from './notices.tsx';
import { Panel, RowText } from './panel.tsx';
import type { StoreDesk } from './use-store.ts';
import { Day, WeekEditor } from './week-editor.tsx';

/* Weekly hours for delivery and pickup; both follow the store's until they get their own. */

const SHOWN = ['operational', 'delivery', 'pickup'] as const;
const weekOf = (days: Readonly<Record<string, string>> | null): WeeklyHours | null => {
  const parsed = days === null ? undefined : readHours(days);
  return parsed?.ok ? parsed.hours : null;
};

const draftOf = ({ hours }: StoreSettings): StoreHours =>
  recordByName(HOURS_KINDS, (channel) => weekOf(hours[channel]));

type Props = { context: ConsoleContext; store: StoreDesk; tell: (text: string) => void };

/** The store's weekly hours, by channel. */
export function HoursPanel({ context, store, tell }: Props) {
  const { settings, busy, errorOf, change } = store;
  /** `base` are the hours when editing began. */
  const [edited, setEdited] = useState<{ base: StoreHours; draft: StoreHours } | undefined>();
  /** Channels whose hours are shown separately, even if they equal the opening hours. */
  const [own, setOwn] = useState<readonly HoursKind[]>([]);
  const [channel, setChannel] = useState<HoursKind>('operational');
  if (!settings) return null;
  const { base, draft } = edited ?? { base: draftOf(settings), draft: draftOf(settings) };
  const week = draft[channel];
  const follows = channel !== 'operational' && !own.includes(channel) && isSameWeek(week, draft.operational);

  function edit(changed: WeeklyHours | null): void {
    // Channels that had the old opening hours also get the new ones.
    const changing = HOURS_KINDS.filter(
      (each) => each === channel || (channel === 'operational' && isSameWeek(draft[each], week)),
    );
    setEdited({ base, draft: { ...draft, ...Object.fromEntries(changing.map((each) => [each, changed])) } });
  }

  function follow(isFollowing: boolean): void {
    setOwn(isFollowing ? own.filter((each) => each !== channel) : [...own, channel]);
    if (isFollowing) edit(draft.operational);
  }

  async function save(body: (now: StoreSettings) => object, done: string): Promise<void> {
    if (!(await change('hours', 'PUT', '/store/hours', body))) return;
    setEdited(undefined);
    setOwn([]);
    tell(done);
  }

  return (
    <Panel id="hours" title={say.title} hint={settings.own_hours ? say.own : say.listed}>
      <fieldset class="segments" aria-label={say.which}>
        {SHOWN.map((each) => (
          <Button
            key={each}
            aria-pressed={channel === each}
            onPress={() => setChannel(each)}
            text={say.channel[each]}
          />
        ))}
      </fieldset>
      {channel !== 'operational' && <Check label={say.sameAsStore} isOn={follows} set={follow} />}
      {!follows && <WeekEditor format={context.format} week={week} edit={edit} />}
      <Alert text={errorOf('hours')} />
      {edited && (
        <div class="buttons">
          <Button onPress={() => setEdited(undefined)} text={say.undo} />
          <Button
            kind="main"
            isBusy={busy === 'hours'}
            onPress={() => save((now) => hoursRequest(mergeHours(base, draft, draftOf(now))), say.saved)}
            text={busy === 'hours' ? words.frame.saving : say.save}
          />
        </div>
      )}
      {!edited && settings.own_hours && (
        <Button
          isBusy={busy === 'hours'}
          onPress={() => save(() => ({ hours: null }), say.listedAgain)}
          text={say.useListed}
        />
      )}
    </Panel>
  );
}

/* Hours exceptions: holidays and other dates, closed or with hours of their own. */

const { dates: datesWords } = words;
const CHANNEL_WORDS: Readonly<Record<string, string>> = { '': datesWords.everything, ...say.channel };

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
    <Panel id="dates" title={datesWords.title} hint={isOwn ? datesWords.own : datesWords.listed}>
      <ul class="rows">
        {coming.map(({ exception, index }) => (
          <li key={index}>
            <RowText name={format.dates(exception.from, exception.to)} more={hoursInWords(exception, format)} />
            <Button
              isBusy={busy === 'dates'}
              label={datesWords.removeOf({
                dates: format.dates(exception.from, exception.to),
                hours: hoursInWords(exception, format),
              })}
              onPress={() => save((now) => withoutEntry(now, exception), datesWords.removed)}
              text={datesWords.remove}
            />
          </li>
        ))}
        {coming.length === 0 && <li class="soft">{datesWords.none}</li>}
      </ul>
      <AddDates
        format={format}
        today={today}
        isBusy={busy === 'dates'}
        add={(exception) => save((now) => [...now, exception], datesWords.saved)}
      />
      <Alert text={errorOf('dates')} />
      {isOwn && (
        <Button
          isBusy={busy === 'dates'}
          onPress={() => save(null, datesWords.listedAgain)}
          text={datesWords.useListed}
        />
      )}
    </Panel>
  );
}

function hoursInWords({ hours, channel }: DatedException, format: Format): string {
  const shown = dayInWords(hours, format);
  const words = CHANNEL_WORDS[channel ?? ''];
  return channel === null || words === undefined ? shown : datesWords.hoursOf({ channel: words, hours: shown });
}

/** A day's hours, which the Store API has in English, in the page's language. */
function dayInWords(hours: string, format: Format): string {
  const ranges = readDay(hours);
  if (ranges === null) return hours;
  if (ranges.length === 0) return say.closed;
  return isAllDay(ranges) ? say.allDay : ranges.map((range) => rangeInWords(range, format)).join(', ');
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

  /** The last day follows the first day until another day is chosen. */
  function chooseFirst(day: string): void {
    setFrom(day);
    if (to === '' || to === from) setTo(day);
  }

  async function submit(): Promise<void> {
    const hours = formatDay(ranges);
    if (!(await add({ from, to: to || from, hours, channel: channel === '' ? null : channel }))) return;
    setFrom('');
    setTo('');
    setRanges([]);
  }

  return (
    <Form class="dates" submit={submit}>
      <div class="fields">
        <Field label={datesWords.first} type="date" value={from} required set={chooseFirst} />
        <Field label={datesWords.last} type="date" value={to} min={from > today ? from : today} set={setTo} />
        <Select label={datesWords.hoursFor} value={channel} set={setChannel} options={Object.entries(CHANNEL_WORDS)} />
      </div>
      <Day name={datesWords.theseDays} format={format} ranges={ranges} edit={setRanges} />
      <Button kind="main" submit isBusy={isBusy} text={datesWords.add} />
    </Form>
  );
}

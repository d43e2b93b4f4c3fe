import { useState } from 'preact/hooks';
import type { WeeklyHours } from '../../src/stores/hours.ts';
import { formatHours, parseHours } from '../../src/stores/parse-hours.ts';
import { Button } from './button.tsx';
import { Alert } from './notices.tsx';
import { type DayHours, HOURS_CHANNELS, type HoursChannel, type StoreDesk, type StoreSettings } from './use-store.ts';
import { WeekEditor } from './week-editor.tsx';

const SHOWN = [
  { channel: 'operational', words: 'Opening hours' },
  { channel: 'delivery', words: 'Delivery' },
  { channel: 'pickup', words: 'Pickup' },
] as const;

type Draft = Readonly<Record<HoursChannel, WeeklyHours | null>>;

const weekOf = (days: DayHours | null): WeeklyHours | null => {
  const parsed = days === null ? undefined : parseHours(days);
  return parsed?.ok ? parsed.hours : null;
};
const textOf = (week: WeeklyHours | null) => JSON.stringify(week && formatHours(week));

function draftOf({ hours }: StoreSettings): Draft {
  const [operational, delivery, pickup, dineIn] = HOURS_CHANNELS.map((channel) => weekOf(hours[channel]));
  return {
    ...{
      operational: operational ?? null,
      delivery: delivery ?? null,
      pickup: pickup ?? null,
      dine_in: dineIn ?? null,
    },
  };
}

/** A channel that has the opening hours is left out, so that it goes on following them. */
function bodyOf(draft: Draft): object {
  const own = HOURS_CHANNELS.filter(
    (channel) =>
      draft[channel] !== null && (channel === 'operational' || textOf(draft[channel]) !== textOf(draft.operational)),
  );
  return { hours: Object.fromEntries(own.map((channel) => [channel, formatHours(draft[channel])])) };
}

/** The weekly hours of the store, by channel. */
export function HoursPanel({ store, tell }: { store: StoreDesk; tell: (text: string) => void }) {
  const { settings, busy, errorOf, change } = store;
  const [edited, setEdited] = useState<Draft | undefined>();
  /** Channels whose hours are shown although they may still be the opening hours. */
  const [own, setOwn] = useState<readonly HoursChannel[]>([]);
  const [channel, setChannel] = useState<HoursChannel>('operational');
  if (!settings) return null;
  const draft = edited ?? draftOf(settings);
  const week = draft[channel];
  const follows = channel !== 'operational' && !own.includes(channel) && textOf(week) === textOf(draft.operational);

  function edit(changed: WeeklyHours | null): void {
    // Channels that had the opening hours before have the new ones too.
    const changing = HOURS_CHANNELS.filter(
      (each) => each === channel || (channel === 'operational' && textOf(draft[each]) === textOf(week)),
    );
    setEdited({ ...draft, ...Object.fromEntries(changing.map((each) => [each, changed])) });
  }

  function follow(isFollowing: boolean): void {
    setOwn(isFollowing ? own.filter((each) => each !== channel) : [...own, channel]);
    if (isFollowing) edit(draft.operational);
  }

  async function save(body: object, words: string): Promise<void> {
    if (!(await change('hours', 'PUT', '/store/hours', body))) return;
    setEdited(undefined);
    setOwn([]);
    tell(words);
  }

  return (
    <section class="panel" aria-labelledby="hours">
      <h2 id="hours">Hours</h2>
      <p class="hint">
        {settings.own_hours ? 'Set by the store.' : 'From the feed of the store; hours that are set here replace them.'}
      </p>
      <fieldset class="segments" aria-label="Which hours">
        {SHOWN.map(({ channel: each, words }) => (
          <button
            type="button"
            key={each}
            class="button"
            aria-pressed={channel === each}
            onClick={() => setChannel(each)}
          >
            {words}
          </button>
        ))}
      </fieldset>
      {channel !== 'operational' && (
        <label class="choice">
          <input type="checkbox" checked={follows} onChange={() => follow(!follows)} />
          As the opening hours
        </label>
      )}
      {!follows && <WeekEditor week={week} edit={edit} />}
      <Alert text={errorOf('hours')} />
      {edited && (
        <div class="buttons">
          <Button onPress={() => setEdited(undefined)}>Undo</Button>
          <Button kind="primary" isBusy={busy === 'hours'} onPress={() => save(bodyOf(draft), 'The hours are saved.')}>
            {busy === 'hours' ? 'Saving…' : 'Save the hours'}
          </Button>
        </div>
      )}
      {!edited && settings.own_hours && (
        <Button isBusy={busy === 'hours'} onPress={() => save({ hours: null }, 'The hours of the feed count again.')}>
          Back to the hours of the feed
        </Button>
      )}
    </section>
  );
}

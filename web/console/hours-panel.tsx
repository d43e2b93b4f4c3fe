import { useState } from 'preact/hooks';
import { mapNames } from '../../src/platform/lib/records.ts';
import type { StoreHours, WeeklyHours } from '../../src/supply/stores/hours.ts';
import { parseHours } from '../../src/supply/stores/parse-hours.ts';
import { Button } from './button.tsx';
import { isSameWeek, mergedHours, sentHours } from './hours-editing.ts';
import { Alert } from './notices.tsx';
import { type DayHours, HOURS_CHANNELS, type HoursChannel, type StoreDesk, type StoreSettings } from './use-store.ts';
import { WeekEditor } from './week-editor.tsx';

const SHOWN = [
  { channel: 'operational', words: 'Opening hours' },
  { channel: 'delivery', words: 'Delivery' },
  { channel: 'pickup', words: 'Pickup' },
] as const;

const weekOf = (days: DayHours | null): WeeklyHours | null => {
  const parsed = days === null ? undefined : parseHours(days);
  return parsed?.ok ? parsed.hours : null;
};

const draftOf = ({ hours }: StoreSettings): StoreHours => mapNames(HOURS_CHANNELS, (channel) => weekOf(hours[channel]));

/** The weekly hours of the store, by channel. */
export function HoursPanel({ store, tell }: { store: StoreDesk; tell: (text: string) => void }) {
  const { settings, busy, errorOf, change } = store;
  /** `base`: the hours as they were when the editing began. */
  const [edited, setEdited] = useState<{ base: StoreHours; draft: StoreHours } | undefined>();
  /** Channels whose hours are shown although they may still be the opening hours. */
  const [own, setOwn] = useState<readonly HoursChannel[]>([]);
  const [channel, setChannel] = useState<HoursChannel>('operational');
  if (!settings) return null;
  const { base, draft } = edited ?? { base: draftOf(settings), draft: draftOf(settings) };
  const week = draft[channel];
  const follows = channel !== 'operational' && !own.includes(channel) && isSameWeek(week, draft.operational);

  function edit(changed: WeeklyHours | null): void {
    // Channels that had the opening hours before have the new ones too.
    const changing = HOURS_CHANNELS.filter(
      (each) => each === channel || (channel === 'operational' && isSameWeek(draft[each], week)),
    );
    setEdited({ base, draft: { ...draft, ...Object.fromEntries(changing.map((each) => [each, changed])) } });
  }

  function follow(isFollowing: boolean): void {
    setOwn(isFollowing ? own.filter((each) => each !== channel) : [...own, channel]);
    if (isFollowing) edit(draft.operational);
  }

  async function save(body: (now: StoreSettings) => object, words: string): Promise<void> {
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
          <Button
            kind="primary"
            isBusy={busy === 'hours'}
            onPress={() => save((now) => sentHours(mergedHours(base, draft, draftOf(now))), 'The hours are saved.')}
          >
            {busy === 'hours' ? 'Saving…' : 'Save the hours'}
          </Button>
        </div>
      )}
      {!edited && settings.own_hours && (
        <Button
          isBusy={busy === 'hours'}
          onPress={() => save(() => ({ hours: null }), 'The hours of the feed count again.')}
        >
          Back to the hours of the feed
        </Button>
      )}
    </section>
  );
}

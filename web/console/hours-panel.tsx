import { useState } from 'preact/hooks';
import { recordByName } from '../../src/platform/lib/records.ts';
import { HOURS_KINDS, type HoursKind, type StoreHours, type WeeklyHours } from '../../src/supply/stores/hours.ts';
import { readHours } from '../../src/supply/stores/read-hours.ts';
import type { StoreSettings } from '../../src/surfaces/store-console/store.route.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import { hoursRequest, isSameWeek, mergeHours } from './hours-editing.ts';
import { Alert } from './notices.tsx';
import type { StoreDesk } from './use-store.ts';
import { WeekEditor } from './week-editor.tsx';

/* Weekly hours for delivery and pickup; both follow the store's until they get their own. */

const SHOWN = ['operational', 'delivery', 'pickup'] as const;
const { hours: say } = words;

const weekOf = (days: Readonly<Record<string, string>> | null): WeeklyHours | null => {
  const parsed = days === null ? undefined : readHours(days);
  return parsed?.ok ? parsed.hours : null;
};

const draftOf = ({ hours }: StoreSettings): StoreHours =>
  recordByName(HOURS_KINDS, (channel) => weekOf(hours[channel]));

type Props = { context: ConsoleContext; store: StoreDesk; tell: (text: string) => void };

/** The weekly hours of the store, by channel. */
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
    <section class="panel" aria-labelledby="hours">
      <h2 id="hours">{say.title}</h2>
      <p class="hint">{settings.own_hours ? say.own : say.listed}</p>
      <fieldset class="segments" aria-label={say.which}>
        {SHOWN.map((each) => (
          <button
            type="button"
            key={each}
            class="button"
            aria-pressed={channel === each}
            onClick={() => setChannel(each)}
          >
            {say.channel[each]}
          </button>
        ))}
      </fieldset>
      {channel !== 'operational' && (
        <label class="choice">
          <input type="checkbox" checked={follows} onChange={() => follow(!follows)} />
          {say.sameAsStore}
        </label>
      )}
      {!follows && <WeekEditor format={context.format} week={week} edit={edit} />}
      <Alert text={errorOf('hours')} />
      {edited && (
        <div class="buttons">
          <Button onPress={() => setEdited(undefined)}>{say.undo}</Button>
          <Button
            kind="primary"
            isBusy={busy === 'hours'}
            onPress={() => save((now) => hoursRequest(mergeHours(base, draft, draftOf(now))), say.saved)}
          >
            {busy === 'hours' ? words.frame.saving : say.save}
          </Button>
        </div>
      )}
      {!edited && settings.own_hours && (
        <Button isBusy={busy === 'hours'} onPress={() => save(() => ({ hours: null }), say.listedAgain)}>
          {say.useListed}
        </Button>
      )}
    </section>
  );
}

import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import { Alert } from './notices.tsx';
import type { StoreDesk } from './use-store.ts';

/** The longest pause that the Store API takes. */
const DAY_MINUTES = 1440;
const PAUSES = [
  { minutes: 15, words: '15 min' },
  { minutes: 30, words: '30 min' },
  { minutes: 60, words: '1 hour' },
  { minutes: DAY_MINUTES, words: 'Until resumed' },
] as const;

/** Stops new orders for a while. Orders that are there already stay. */
export function PausePanel({ context, store }: { context: ConsoleContext; store: StoreDesk }) {
  const { settings, busy, errorOf, change } = store;
  if (!settings) return null;
  const { paused_until: until } = settings;
  const state = settings.is_open ? 'You are open for orders' : 'You are closed now, per your hours';
  return (
    <section class="panel" aria-labelledby="pause">
      <h2 id="pause">{until === null ? 'Pause new orders' : `Paused until ${context.clock.moment(until)}`}</h2>
      <p class="hint">
        {until === null
          ? `${state}. A pause starts at once; “Until resumed” lasts a day at most.`
          : 'No new orders come in. Open orders are not affected.'}
      </p>
      <div class="press-row">
        {until !== null && (
          <Button kind="primary" isBusy={busy === 'resume'} onPress={() => change('resume', 'POST', '/store/resume')}>
            {busy === 'resume' ? 'Resuming…' : 'Resume now'}
          </Button>
        )}
        {PAUSES.map(({ minutes, words }) => (
          <Button
            key={minutes}
            label={`Pause new orders: ${words}`}
            isBusy={busy === `pause ${minutes}`}
            onPress={() => change(`pause ${minutes}`, 'POST', '/store/pause', { minutes })}
          >
            {words}
          </Button>
        ))}
      </div>
      <Alert text={errorOf('resume', ...PAUSES.map(({ minutes }) => `pause ${minutes}`))} />
    </section>
  );
}

/** Shows a pause in every view: a forgotten pause costs orders. */
export function PauseBar({ context, store }: { context: ConsoleContext; store: StoreDesk }) {
  const until = store.settings?.paused_until ?? null;
  if (until === null || until <= context.now()) return null;
  const isBusy = store.busy === 'resume';
  return (
    <div role="status" class="bar paused">
      <p>
        <strong>Paused</strong> until {context.clock.moment(until)}: no new orders come in.
      </p>
      <Button isBusy={isBusy} onPress={() => store.change('resume', 'POST', '/store/resume')}>
        {isBusy ? 'Resuming…' : 'Resume'}
      </Button>
    </div>
  );
}

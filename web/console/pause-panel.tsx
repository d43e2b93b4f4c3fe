import { store as words } from '../../src/texts/en/store.ts';
import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import { Alert } from './notices.tsx';
import type { StoreDesk } from './use-store.ts';

/** Maximum minutes of a pause in the Store API. */
const DAY_MINUTES = 1440;
const PAUSES = [15, 30, 60, 'next_opening', DAY_MINUTES] as const;
type Pause = (typeof PAUSES)[number];
const { pause: say } = words;

function lengthOf(pause: Pause, { format }: ConsoleContext): string {
  if (pause === 'next_opening') return say.untilOpening;
  if (pause === DAY_MINUTES) return say.untilResumed;
  return pause === 60 ? say.hour : format.minutes(pause);
}

const bodyOf = (pause: Pause) => (pause === 'next_opening' ? { until: pause } : { minutes: pause });

/** Stops new orders for a while; existing orders stay. */
export function PausePanel({ context, store }: { context: ConsoleContext; store: StoreDesk }) {
  const { settings, busy, errorOf, change } = store;
  if (!settings) return null;
  const { paused_until: until } = settings;
  const state = settings.is_open ? say.open : say.closed;
  return (
    <section class="panel" aria-labelledby="pause">
      <h2 id="pause">
        {until === null ? say.title : say.pausedUntil({ moment: context.clock.moment(until, context.now()) })}
      </h2>
      <p class="hint">{until === null ? state : say.paused}</p>
      <div class="press-row">
        {until !== null && (
          <Button kind="primary" isBusy={busy === 'resume'} onPress={() => change('resume', 'POST', '/store/resume')}>
            {busy === 'resume' ? say.resuming : say.resumeNow}
          </Button>
        )}
        {PAUSES.map((pause) => (
          <Button
            key={pause}
            label={say.pauseFor({ length: lengthOf(pause, context) })}
            isBusy={busy === `pause ${pause}`}
            onPress={() => change(`pause ${pause}`, 'POST', '/store/pause', bodyOf(pause))}
          >
            {lengthOf(pause, context)}
          </Button>
        ))}
      </div>
      <Alert text={errorOf('resume', ...PAUSES.map((pause) => `pause ${pause}`))} />
    </section>
  );
}

/** Shows a pause in every view, because a forgotten pause costs orders. */
export function PauseBar({ context, store }: { context: ConsoleContext; store: StoreDesk }) {
  const until = store.settings?.paused_until ?? null;
  if (until === null || until <= context.now()) return null;
  const isBusy = store.busy === 'resume';
  return (
    <div role="status" class="bar paused">
      <p>{say.bar({ moment: context.clock.moment(until, context.now()) })}</p>
      <Button isBusy={isBusy} onPress={() => store.change('resume', 'POST', '/store/resume')}>
        {isBusy ? say.resuming : say.resume}
      </Button>
    </div>
  );
}

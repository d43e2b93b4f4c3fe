import { useState } from 'preact/hooks';
import type { StoreSettings } from '../../src/surfaces/store-console/store.route.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import type { ConsoleContext } from './console-context.ts';
import { Alert } from './notices.tsx';
import { Panel } from './panel.tsx';
import type { StoreDesk } from './use-store.ts';

/* A pause of new orders, and the minutes that a busy kitchen adds to them: forms, and bars that remind of both. */

/** Maximum minutes of a pause in the Store API. */
const DAY_MINUTES = 1440;
const PAUSES = [15, 30, 60, 'next_opening', DAY_MINUTES] as const;
type Pause = (typeof PAUSES)[number];
const EXTRA_MINUTES = [10, 15, 20, 30, 45] as const;
const { pause: say, busy: sayBusy } = words;

type Props = { context: ConsoleContext; store: StoreDesk };

/** The end of a pause or a busy kitchen, by the path of its request. */
type End = { text: string; working: string; path: string; body?: object };
const RESUME: End = { text: say.resume, working: say.resuming, path: '/store/resume' };
const BUSY_END: End = { text: sayBusy.end, working: sayBusy.ending, path: '/store/busy', body: { extra_minutes: 0 } };

type Choice = { text: string; label: string; body: object };
type Form = { title: string; hint: string; end: End | false; path: string; choices: readonly Choice[] };

function lengthOf(pause: Pause, { format }: ConsoleContext): string {
  if (pause === 'next_opening') return say.untilOpening;
  if (pause === DAY_MINUTES) return say.untilResumed;
  return pause === 60 ? say.hour : format.minutes(pause);
}

const bodyOf = (pause: Pause) => (pause === 'next_opening' ? { until: pause } : { minutes: pause });
const momentOf = ({ clock, now }: ConsoleContext, untilS: number) => clock.moment(untilS, now());

/** Stops new orders for a while; existing orders stay. */
function pauseForm(context: ConsoleContext, { paused_until: until, is_open: isOpen }: StoreSettings): Form {
  const choices = PAUSES.map((pause) => {
    const length = lengthOf(pause, context);
    return { text: length, label: say.pauseFor({ length }), body: bodyOf(pause) };
  });
  const form = { path: '/store/pause', choices };
  if (until === null) return { ...form, title: say.title, hint: isOpen ? say.open : say.closed, end: false };
  const title = say.pausedUntil({ moment: momentOf(context, until) });
  return { ...form, title, hint: say.paused, end: { ...RESUME, text: say.resumeNow } };
}

/** Adds minutes to new orders for an hour. */
function busyForm({ format }: ConsoleContext, { busy }: StoreSettings): Form {
  const choices = EXTRA_MINUTES.map((minutes) => {
    const length = format.minutes(minutes);
    return { text: `+${length}`, label: sayBusy.add({ length }), body: { extra_minutes: minutes } };
  });
  const { title, hint } = sayBusy;
  return { title, hint, end: busy !== null && BUSY_END, path: BUSY_END.path, choices };
}

export function PausePanel({ context, store }: Props) {
  if (!store.settings) return null;
  const form = pauseForm(context, store.settings);
  return (
    <Panel id="pause" title={form.title}>
      <FormBody form={form} store={store} />
    </Panel>
  );
}

/** Buttons alongside the orders, which open the forms. */
export function PauseButtons({ context, store }: Props) {
  const [open, setOpen] = useState<typeof pauseForm | undefined>();
  const close = () => setOpen(undefined);
  const form = store.settings && open?.(context, store.settings);
  return (
    <div class="press-row">
      <Button onPress={() => setOpen(() => busyForm)} text={sayBusy.button} />
      <Button onPress={() => setOpen(() => pauseForm)} text={say.button} />
      {form && (
        <Dialog title={form.title} close={close}>
          <FormBody form={form} store={store} done={close} />
        </Dialog>
      )}
    </div>
  );
}

function FormBody({ form, store, done }: { form: Form; store: StoreDesk; done?: () => void }) {
  const { hint, end, path, choices } = form;
  const { busy, errorOf } = store;
  const send = async (name: string, to: string, body?: object) => {
    if (await store.change(name, 'POST', to, body)) done?.();
  };
  return (
    <>
      <p class="hint">{hint}</p>
      <div class="press-row">
        {end && (
          <Button
            kind="main"
            isBusy={busy === end.path}
            onPress={() => void send(end.path, end.path, end.body)}
            text={busy === end.path ? end.working : end.text}
          />
        )}
        {choices.map(({ text, label, body }) => (
          <Button
            key={text}
            label={label}
            isBusy={busy === label}
            onPress={() => void send(label, path, body)}
            text={text}
          />
        ))}
      </div>
      <Alert text={errorOf(RESUME.path, BUSY_END.path, ...choices.map(({ label }) => label))} />
    </>
  );
}

/** Shows a pause and a busy kitchen in every view, because a forgotten one costs orders. */
export function PauseBars({ context, store }: Props) {
  const { paused_until: pausedUntil, busy } = store.settings ?? { paused_until: null, busy: null };
  const length = context.format.minutes(busy?.extra_minutes ?? 0);
  const bars = [
    { until: pausedUntil, say: say.bar, end: RESUME },
    { until: busy?.until ?? null, say: sayBusy.bar, end: BUSY_END },
  ];
  return bars.map(({ until, say, end }) => {
    if (until === null || until <= context.now()) return null;
    const isBusy = store.busy === end.path;
    return (
      <div role="status" class="strip paused" key={end.path}>
        <p>{say({ moment: momentOf(context, until), length })}</p>
        <Button
          isBusy={isBusy}
          onPress={() => void store.change(end.path, 'POST', end.path, end.body)}
          text={isBusy ? end.working : end.text}
        />
      </div>
    );
  });
}

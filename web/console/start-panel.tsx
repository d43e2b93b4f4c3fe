import { useState } from 'preact/hooks';
import { STORE_NEEDS } from '../../src/surfaces/store-console/missing-needs.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import { keep, readStored } from './local-storage.ts';
import type { StoreDesk } from './use-store.ts';

const { start: say } = words;
const VIEW_OF = { menu: '#menu', hours: '#store', photo: '#store', channel: undefined } as const;

/** What an owner has yet to set up, shown while no order is. It ticks itself off, and leaves once all is done. */
export function StartPanel({ context, store }: { context: ConsoleContext; store: StoreDesk }) {
  const [isHidden, setHidden] = useState(() => readStored('started', false));
  const missing = store.settings?.missing ?? [];
  const isOwner = context.staff === undefined && context.sandbox === undefined;
  if (!isOwner || isHidden || missing.length === 0) return null;
  function hide(): void {
    keep('started', true);
    setHidden(true);
  }
  return (
    <section class="panel start" aria-labelledby="start">
      <div class="menu-head">
        <h2 id="start">{say.title}</h2>
        <Button kind="quiet" onPress={hide}>
          {say.hide}
        </Button>
      </div>
      <ul class="rows">
        {STORE_NEEDS.map((need) => {
          const isDone = !missing.includes(need);
          const view = VIEW_OF[need];
          return (
            <li key={need}>
              <p class={isDone ? 'check done' : 'check'}>
                <strong>{say.needs[need]}</strong>
                <span class="soft">{isDone ? say.done : say.hints[need]}</span>
              </p>
              {!isDone && view && (
                <a
                  class="button"
                  href={view}
                  aria-label={words.products.actionFor({ action: say.open, name: say.needs[need] })}
                >
                  {say.open}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

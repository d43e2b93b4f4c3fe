import { useEffect, useState } from 'preact/hooks';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from './button.tsx';
import { Alert } from './notices.tsx';
import type { Desk } from './use-step.ts';
import type { StoreDesk } from './use-store.ts';

const { kitchen: say } = words;
const LIMITS = ['orders', 'items'] as const;

/** What the kitchen can cook per quarter of an hour. */
export function KitchenPanel({ desk, store: { settings, busy, errorOf, change } }: { desk: Desk; store: StoreDesk }) {
  const known = settings?.kitchen;
  const [kitchen, setKitchen] = useState(known);
  useEffect(() => setKitchen(known), [known?.orders, known?.items]);
  if (!kitchen) return null;
  async function save(): Promise<void> {
    if (await change('kitchen', 'PUT', '/store/kitchen', kitchen)) desk.tell(say.saved);
  }
  return (
    <section class="panel" aria-labelledby="kitchen">
      <h2 id="kitchen">{say.title}</h2>
      <p class="hint">{say.hint}</p>
      <form
        class="press-row"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {LIMITS.map((limit) => (
          <label class="field" key={limit}>
            {say[limit]}
            <input
              type="number"
              inputmode="numeric"
              min={1}
              max={10_000}
              value={kitchen[limit] ?? ''}
              onInput={({ currentTarget: { valueAsNumber: typed } }) =>
                setKitchen({ ...kitchen, [limit]: Number.isNaN(typed) ? null : Math.round(typed) })
              }
            />
          </label>
        ))}
        <Button submit isBusy={busy === 'kitchen'}>
          {say.save}
        </Button>
      </form>
      <Alert text={errorOf('kitchen')} />
    </section>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type { StoreMenuChange } from '../../src/surfaces/store-console/menu.route.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Dialog } from '../dialog.tsx';
import { messageOf } from './api.ts';
import { Button } from './button.tsx';
import { Alert } from './notices.tsx';
import type { MenuDesk } from './use-menu.ts';

const { menu: say } = words;

const { added, edited, removed, sorted, switched, undone } = say.actions;
const ACTIONS = { added, edited, removed, sorted, switched, undone };

type Field = StoreMenuChange['fields'][number];

/** The newest changes of the menu, each with its undo. */
export function MenuHistory({ menu, close }: { menu: MenuDesk; close: () => void }) {
  const { context } = menu.desk;
  const [changes, setChanges] = useState<readonly StoreMenuChange[] | undefined>();
  const [error, setError] = useState('');
  async function read(): Promise<void> {
    try {
      setChanges((await context.api.get<{ changes: StoreMenuChange[] }>('/store/menu/changes')).changes);
    } catch (failure) {
      setError(messageOf(failure));
    }
  }
  async function undo(id: string): Promise<void> {
    await menu.send('POST', `/store/menu/changes/${id}/undo`, {}, say.undone);
    await read();
  }
  useEffect(() => void read(), []);
  /** Photos have addresses, which tell people nothing. */
  const hasTexts = ({ field, before, after }: Field) => field !== 'image' && (before !== null || after !== null);
  const valueText = ({ field }: Field, value: unknown) => {
    if (field === 'available') return value === true ? words.products.available : words.products.soldOut;
    if (field === 'available_at') return typeof value === 'number' ? context.clock.moment(value, context.now()) : '–';
    if (field === 'qty_available' && value === null) return words.products.notCounted;
    return typeof value === 'number' && field.endsWith('price') ? context.format.money(value) : String(value ?? '–');
  };
  return (
    <Dialog title={say.history} close={close}>
      <Alert text={error || menu.error} />
      <ul class="rows">
        {(changes ?? []).map((change) => (
          <li key={change.change_id}>
            <p>
              <strong>{ACTIONS[change.action]({ name: change.name || say.title })}</strong>
              <span class="soft">
                {context.clock.moment(change.at, context.now())} · {change.by_name ?? say.by[change.by]}
                {change.fields
                  .filter(({ field }) => field !== 'thumbnail_image')
                  .map((field) => (
                    <>
                      {' · '}
                      {say.fields[field.field as keyof typeof say.fields] ?? field.field}
                      {hasTexts(field) && ` ${valueText(field, field.before)} → ${valueText(field, field.after)}`}
                    </>
                  ))}
              </span>
            </p>
            {change.undone_by === null ? (
              <Button
                kind="quiet"
                label={say.undoOf({ name: change.name })}
                isBusy={menu.busy}
                onPress={() => void undo(change.change_id)}
              >
                {say.undo}
              </Button>
            ) : (
              <span class="soft">{say.undone}</span>
            )}
          </li>
        ))}
      </ul>
      {changes?.length === 0 && <p class="empty">{say.noChanges}</p>}
      <Button onPress={close}>{words.frame.back}</Button>
    </Dialog>
  );
}

import { useEffect, useState } from 'preact/hooks';
import { store as words } from '../../src/platform/languages/en/store.ts';
import { messageOf } from './api.ts';
import type { MenuCategory, MenuItem, MenuList } from './menu-editing.ts';
import type { Desk } from './use-step.ts';

const { menu: say } = words;

export type MenuDesk = {
  desk: Desk;
  lists: readonly MenuList[];
  /** Whether the menu is being read; what is shown may differ from it until then. */
  isLoading: boolean;
  busy: boolean;
  error: string;
  read(): Promise<void>;
  /** Sends an edit and reads the menu again; shows `done` with an undo. Returns whether it was taken. */
  send(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object, done: string): Promise<boolean>;
};

type Answer = { change_id?: string | null };

/** The menu of the store with all its items. Each edit reads it again, so that a conflict shows what others did. */
export function useMenu(desk: Desk): MenuDesk {
  const [lists, setLists] = useState<readonly MenuList[]>([]);
  const [isLoading, setLoading] = useState(true);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const { api } = desk.context;

  async function pages<One>(path: string, member: string): Promise<One[]> {
    const all: One[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: Record<string, unknown> = await api.get(`${path}${path.includes('?') ? '&' : '?'}after=${after}`);
      all.push(...(page[member] as One[]));
      after = page.next_after as number | null;
    }
    return all;
  }

  async function read(): Promise<void> {
    setLoading(true);
    try {
      const categories = await pages<MenuCategory>('/store/menu', 'categories');
      const found: MenuList[] = [];
      for (const category of categories) {
        const query = encodeURIComponent(category.category_id);
        found.push({ category, items: await pages<MenuItem>(`/store/menu/items?category_id=${query}`, 'items') });
      }
      setLists(found);
    } catch (failure) {
      setError(messageOf(failure));
    }
    setLoading(false);
  }

  async function send(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object, done: string): Promise<boolean> {
    setBusy(true);
    setError('');
    let isDone = false;
    try {
      const { change_id: id } = await api.send<Answer>(method, path, body);
      isDone = true;
      const undo = () => void send('POST', `/store/menu/changes/${id}/undo`, {}, say.undone);
      desk.tell(done, id && done !== say.undone ? { label: say.undo, run: undo } : undefined);
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
    void read();
    return isDone;
  }

  useEffect(() => void read(), []);
  return { desk, lists, isLoading, busy, error, read, send };
}

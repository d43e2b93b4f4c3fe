import { useEffect, useRef, useState } from 'preact/hooks';
import { menu as say } from '../../src/texts/en/store.ts';
import { useRun } from '../use-read.ts';
import type { Api } from './api.ts';
import { type MenuCategory, type MenuItem, type MenuList, withSwitches } from './menu-editing.ts';
import type { Product } from './product-row.tsx';
import type { Desk } from './use-step.ts';

/* The menu editor's state: the menu, the edit in progress, and the conflict if another device was first. */

export type MenuDesk = {
  desk: Desk;
  lists: readonly MenuList[];
  isLoading: boolean;
  busy: boolean;
  error: string;
  /** Shows switches and stock from a response. */
  put(product: Product): void;
  /** Sends an edit and reads the menu again; shows `done` with an undo. Returns whether it was taken. */
  send(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object, done: string): Promise<boolean>;
  /** Sorts a category's members, or the categories at the top (null). */
  sort(categoryId: string | null, from: readonly string[], to: readonly string[]): Promise<void>;
};

type Answer = { change_id?: string | null };

async function readPages<One>(api: Api, path: string, member: string): Promise<One[]> {
  const all: One[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Record<string, unknown> = await api.get(`${path}${path.includes('?') ? '&' : '?'}after=${after}`);
    all.push(...(page[member] as One[]));
    after = page.next_after as number | null;
  }
  return all;
}

export const readCategories = (api: Api) => readPages<MenuCategory>(api, '/store/menu', 'categories');

/** The store's menu with all its items. Each edit reads it again, so that a conflict shows what others did. */
export function useMenu(desk: Desk): MenuDesk {
  const [lists, setLists] = useState<readonly MenuList[]>([]);
  const [isLoading, setLoading] = useState(true);
  const { busy, error, run } = useRun();
  const { error: unread, run: runRead } = useRun();
  const { api } = desk.context;
  /** Number of the latest reading, the only one with shown responses, and the switches since it began. */
  const reading = useRef(0);
  const switched = useRef<readonly Product[]>([]);
  const latest = useRef(Promise.resolve());
  const isSorting = useRef(false);

  async function read(): Promise<void> {
    reading.current += 1;
    const mine = reading.current;
    switched.current = [];
    setLoading(true);
    await runRead('read', async () => {
      const categories = await readCategories(api);
      const found: MenuList[] = [];
      for (const category of categories) {
        const path = `/store/menu/items?category_id=${encodeURIComponent(category.category_id)}`;
        found.push({ category, items: await readPages<MenuItem>(api, path, 'items') });
      }
      if (mine === reading.current) setLists(switched.current.reduce<readonly MenuList[]>(withSwitches, found));
    });
    if (mine === reading.current) setLoading(false);
  }

  function put(product: Product): void {
    switched.current = [...switched.current, product];
    setLists((shown) => withSwitches(shown, product));
  }

  async function send(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object, done: string): Promise<boolean> {
    const isDone = await run('send', async () => {
      const { change_id: id } = await api.send<Answer>(method, path, body);
      const undo = () => void send('POST', `/store/menu/changes/${id}/undo`, {}, say.undone);
      desk.tell(done, id && done !== say.undone ? { label: say.undo, run: undo } : undefined);
    });
    latest.current = read();
    return isDone;
  }

  async function sort(categoryId: string | null, from: readonly string[], to: readonly string[]): Promise<void> {
    // The next move starts from the order that this one leaves.
    if (isSorting.current) return;
    isSorting.current = true;
    await send('PUT', '/store/menu/sequence', { category_id: categoryId, from, to }, say.sorted);
    await latest.current;
    isSorting.current = false;
  }

  useEffect(() => void read(), []);
  return { desk, lists, isLoading, busy: busy !== '', error: error || unread, put, send, sort };
}

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/* How pages of console and operator's view read answers and send changes. */

/** The error as a sentence for people. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export type Reading<T> = { data: T | undefined; error: string; isLoading: boolean; reload(): void };

/**
 * The last answer of a reading, and why the newest one failed. It is read again when the key changes, on `reload`, and
 * `everyMs` after each response.
 */
export function useRead<T>(key: string, read: (signal: AbortSignal) => Promise<T>, everyMs?: number): Reading<T> {
  const [state, setState] = useState<{ key: string; data?: T; error: string }>({ key, error: '' });
  const [round, setRound] = useState(0);
  const [isLoading, setLoading] = useState(true);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  useEffect(() => {
    const abort = new AbortController();
    const show = (change: (before: typeof state) => typeof state) => {
      if (abort.signal.aborted) return;
      setState(change);
      setLoading(false);
    };
    setLoading(true);
    read(abort.signal).then(
      (data) => show(() => ({ key, data, error: '' })),
      (failure) => show((before) => ({ ...(before.key === key ? before : { key }), error: messageOf(failure) })),
    );
    return () => abort.abort();
  }, [key, round]);
  useEffect(() => {
    if (everyMs === undefined || isLoading) return;
    const timer = setTimeout(reload, everyMs);
    return () => clearTimeout(timer);
  }, [everyMs, isLoading, reload]);
  const isCurrent = state.key === key;
  return { data: isCurrent ? state.data : undefined, error: isCurrent ? state.error : '', isLoading, reload };
}

const PREVIEW_DELAY_MS = 250;

/** The preview of a change, read again shortly after each edit of it; none while the change is incomplete. */
export const usePreview = <T>(change: string | undefined, read: () => Promise<T>): Reading<T | undefined> =>
  useRead(change ?? '', async (signal) => {
    if (change === undefined) return undefined;
    await new Promise((done) => setTimeout(done, PREVIEW_DELAY_MS));
    return signal.aborted ? undefined : read();
  });

/** Runs requests under names: `busy` is the running one's, `error` says why the last one failed. Both may be empty. */
export function useRun() {
  const [busy, setBusy] = useState('');
  const [failed, setFailed] = useState({ name: '', error: '' });
  async function run(name: string, work: () => Promise<unknown>): Promise<boolean> {
    setBusy(name);
    setFailed({ name: '', error: '' });
    try {
      await work();
      return true;
    } catch (failure) {
      setFailed({ name, error: messageOf(failure) });
      return false;
    } finally {
      setBusy('');
    }
  }
  const errorOf = (...names: string[]) => (names.includes(failed.name) ? failed.error : '');
  return { busy, error: failed.error, errorOf, run };
}

type Page<One, Mark> = { items: readonly One[]; next: Mark | null };
type Pages<One, Mark> = {
  read(after?: Mark): Promise<Page<One, Mark>>;
  waitMs?: number;
  /** With it, loaded pages stay below a new first page, unless the first key has changed. */
  idOf?(one: One): string;
};

/**
 * A list that is read page by page: `read` is called with the mark of a page, without one for the first, which is read
 * when one of the keys changes, after `waitMs`, and on `reload`. Until it is there, the list stays as it is.
 */
export function usePages<One, Mark>(keys: readonly unknown[], { read, waitMs = 0, idOf }: Pages<One, Mark>) {
  const [page, setPage] = useState<Page<One, Mark> & { key: unknown }>();
  const { busy, error, run } = useRun();
  /** Number of the latest reading; answers to earlier ones are discarded. */
  const latest = useRef(0);
  const [key] = keys;
  type Got = Page<One, Mark>;
  const joined = (shown: Got, got: Got, isMore: boolean) => {
    if (isMore) return { items: [...shown.items, ...got.items], next: got.next };
    if (!idOf || shown.items.length <= got.items.length) return got;
    const ids = new Set(got.items.map(idOf));
    return { items: [...got.items, ...shown.items.filter((one) => !ids.has(idOf(one)))], next: shown.next };
  };
  const load = (after?: Mark) => {
    latest.current += 1;
    const mine = latest.current;
    return run(after === undefined ? 'first' : 'more', async () => {
      const got = await read(after);
      if (mine !== latest.current) return;
      setPage((shown) => ({ ...(shown && shown.key === key ? joined(shown, got, after !== undefined) : got), key }));
    });
  };
  useEffect(() => {
    const timer = setTimeout(load, waitMs);
    return () => clearTimeout(timer);
  }, keys);
  const next = page?.next ?? null;
  return {
    items: page?.items,
    isLoading: busy !== '' || (!page && !error),
    error,
    /** Reads the next page; undefined on the last one. */
    more: next === null ? undefined : () => void load(next),
    reload: () => load(),
    /** Shows members that a response has changed. */
    change: (changed: (one: One) => One) => setPage((shown) => shown && { ...shown, items: shown.items.map(changed) }),
  };
}

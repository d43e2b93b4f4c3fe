import { useEffect, useState } from 'preact/hooks';
import { messageOf } from './api.ts';

/** The current value of a subscription. */
export function useSubscription<Value>(subscribe: (listener: () => void) => () => void, read: () => Value): Value {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const update = () => setValue(read);
    const leave = subscribe(update);
    update();
    return leave;
  }, [subscribe]);
  return value;
}

/** The current time, updated at this interval. */
export function useNow(now: () => number, everyMs: number): number {
  const [epochS, setEpochS] = useState(now);
  useEffect(() => {
    const timer = window.setInterval(() => setEpochS(now()), everyMs);
    return () => window.clearInterval(timer);
  }, [everyMs]);
  return epochS;
}

/** Whether the page matches the media query. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const update = () => setMatches(list.matches);
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, [query]);
  return matches;
}

/** The part of the URL after `#`, so that the back button and a reload keep the view. */
export function useHash(views: readonly string[]): string {
  const read = () => views.find((view) => `#${view}` === location.hash) ?? views[0] ?? '';
  const [view, setView] = useState(read);
  useEffect(() => {
    const update = () => setView(read());
    window.addEventListener('hashchange', update);
    return () => window.removeEventListener('hashchange', update);
  }, []);
  return view;
}

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

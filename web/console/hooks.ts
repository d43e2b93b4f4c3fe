import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { store as words } from '../../src/texts/en/store.ts';
import { listen } from '../listen.ts';

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

/**
 * An element's value from the current time, in epoch seconds. Renders the component again only when that changes, and
 * only while the browser lays the element out (`content-visibility`): a second costs only elements in view.
 */
export function useTimed<Shown>(
  { now, seconds }: { now(): number; seconds: Seconds },
  read: (nowEpochS: number) => Shown,
) {
  const element = useRef<HTMLParagraphElement>(null);
  const [, render] = useState({});
  const shown = read(now());
  const update = useRef(() => {});
  update.current = () => {
    const isShown = element.current?.checkVisibility({ contentVisibilityAuto: true });
    if (isShown && JSON.stringify(read(now())) !== JSON.stringify(shown)) render({});
  };
  useEffect(() => seconds(() => update.current()), []);
  return [element, shown] as const;
}

/** Calls the listener each second, and when an element comes into view, until the returned function is called. */
export type Seconds = (listener: () => void) => () => void;

export function createSeconds(): Seconds {
  const seconds = new EventTarget();
  const tick = () => seconds.dispatchEvent(new Event('tick'));
  window.setInterval(tick, 1000);
  document.addEventListener('contentvisibilityautostatechange', tick);
  return (listener) => listen(seconds, 'tick', listener);
}

/** Whether the page matches the media query. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => window.matchMedia(query), []);
  const follow = useCallback((listener: () => void) => listen(list, 'change', listener), []);
  return useSubscription(follow, () => list.matches);
}

const onHash = (listener: () => void) => listen(window, 'hashchange', listener);

/** The part of the URL after `#`, so that the back button and a reload keep the view. */
export function useHash(views: readonly string[]): string {
  return useSubscription(onHash, () => views.find((view) => `#${view}` === location.hash) ?? views[0] ?? '');
}

/** Copies a link, or says it where the browser cannot. */
export async function copyLink(link: string, tell: (text: string) => void): Promise<void> {
  const isCopied = await navigator.clipboard?.writeText(link).then(
    () => true,
    () => false,
  );
  tell(isCopied ? words.frame.linkCopied : words.frame.linkIs({ link }));
}

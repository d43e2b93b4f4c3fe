import { useEffect, useRef } from 'preact/hooks';
import type { ConsoleContext } from './console-context.ts';

const EVERY_MS = 30 * 60_000;

/**
 * Reads the console's page now and then: the answer renews the session, corrects the clock, and shows a newer version of
 * the console, which is loaded while `isIdle`.
 */
export function useAutoReload(context: ConsoleContext, isIdle: () => boolean): void {
  const idle = useRef(isIdle);
  idle.current = isIdle;
  useEffect(() => {
    const timer = window.setInterval(() => void look(context, () => idle.current()), EVERY_MS);
    return () => window.clearInterval(timer);
  }, []);
}

async function look(context: ConsoleContext, isIdle: () => boolean): Promise<void> {
  const answer = await fetch(context.home, { cache: 'no-store' }).catch(() => undefined);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const now = Number(page.getElementById('app')?.dataset.now);
  if (now > 0) context.setNow(now);
  const scriptOf = (document: Document) => document.querySelector('script[src]')?.getAttribute('src');
  if (scriptOf(page) !== scriptOf(document) && isIdle()) location.reload();
}

import { useEffect } from 'preact/hooks';

const BLINK_MS = 1000;

/**
 * Sets the page's title. A loud title blinks, so that a background tab is noticed, unless reduced motion is preferred.
 */
export function useTitle(calm: string, loud: string | undefined): void {
  useEffect(() => {
    document.title = loud ?? calm;
    if (loud === undefined || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const timer = window.setInterval(() => {
      document.title = document.title === loud ? calm : loud;
    }, BLINK_MS);
    return () => window.clearInterval(timer);
  }, [calm, loud]);
}

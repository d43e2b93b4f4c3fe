import { useEffect } from 'preact/hooks';

const BLINK_MS = 1000;

/**
 * The page's title. It blinks while there is a loud one, so that a tab in the background is seen; it stands still where
 * motion is unwanted.
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

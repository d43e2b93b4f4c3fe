import type { Position } from './position.ts';

/**
 * The app that opens a place on the phone: Apple Maps on Apple devices, any app for `geo:` on Android, otherwise Google
 * Maps.
 */
const MAP_APPS = ['apple', 'geo', 'google'] as const;
export type MapApp = (typeof MAP_APPS)[number];

/** Whether the browser itself opens the place. */
export const isWebsite = (app: MapApp): boolean => app === 'google';

export const parseMapApp = (text: string | undefined): MapApp => MAP_APPS.find((app) => app === text) ?? 'google';

/** Detects the map app by the browser's `User-Agent`. An iPad's has `Macintosh`. */
export function mapAppOf(userAgent: string | undefined): MapApp {
  if (userAgent === undefined) return 'google';
  if (/iPhone|iPad|iPod|Macintosh/.test(userAgent)) return 'apple';
  return userAgent.includes('Android') ? 'geo' : 'google';
}

/** Writes a URL that opens the app with directions; `geo:` is RFC 5870. */
export function mapUrl(app: MapApp, { latitude, longitude }: Position): string {
  const at = `${latitude},${longitude}`;
  switch (app) {
    case 'apple':
      return `https://maps.apple.com/?daddr=${at}&dirflg=d`;
    case 'geo':
      return `geo:${at}?q=${at}`;
    case 'google':
      return `https://www.google.com/maps/dir/?api=1&destination=${at}`;
  }
}

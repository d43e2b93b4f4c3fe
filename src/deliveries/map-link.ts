import type { Position } from './position.ts';

/** The app that opens a place on the phone: Apple Maps on Apple's devices, any app for `geo:` on Android, else Google Maps. */
export type MapApp = 'apple' | 'geo' | 'google';

/** By the `User-Agent` of a browser. An iPad calls itself a Macintosh. */
export function mapAppOf(userAgent: string | undefined): MapApp {
  if (userAgent === undefined) return 'google';
  if (/iPhone|iPad|iPod|Macintosh/.test(userAgent)) return 'apple';
  return userAgent.includes('Android') ? 'geo' : 'google';
}

/** The way to a place. `geo:` is RFC 5870. */
export function mapLink(app: MapApp, { latitude, longitude }: Position): string {
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

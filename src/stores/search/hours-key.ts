import { hash } from 'node:crypto';
import type { StoreHours } from '../hours.ts';

/** A short text that equal sets of hours share: a kilobyte of JSON would be compared for each store. */
export function hoursKey(hours: StoreHours): string {
  return hash('sha256', JSON.stringify(hours), 'base64url');
}

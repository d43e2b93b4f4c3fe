import type { Clock } from '../lib/clock.ts';
import type { Db } from './connect.ts';

/** What every operation and most flows need. */
export type Context = { db: Db; clock: Clock };

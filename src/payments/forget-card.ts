import type { KeyMode } from '../accounts/account.ts';
import type { JobKind } from '../jobs/jobs.ts';

/** Tells the gateway to forget a card whose payment method was deleted. */
export const FORGET_CARD: JobKind<{ token: string; mode: KeyMode }> = { name: 'forget-card' };

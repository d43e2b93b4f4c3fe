import type { KeyMode } from '../accounts/account.ts';
import type { JobKind } from '../jobs/jobs.ts';

/** Deletes a card at the gateway after its payment method was deleted. */
export const FORGET_CARD: JobKind<{ token: string; mode: KeyMode }> = { name: 'forget-card' };

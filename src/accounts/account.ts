/** Sandbox keys make sandbox orders, live keys make real orders. Neither mode sees what the other mode made. */
export type KeyMode = 'sandbox' | 'live';

/** The account and mode of a request's key: every query for an account's rows is bound to both. */
export type Caller = { accountId: string; mode: KeyMode; keyId: string };

/** `ds_test_` or `ds_live_` and the secret; the shown hint is the prefix and the last four characters. */
export function keyText(mode: KeyMode, secret: string): { key: string; hint: string } {
  const prefix = mode === 'live' ? 'ds_live_' : 'ds_test_';
  return { key: prefix + secret, hint: `${prefix}…${secret.slice(-4)}` };
}

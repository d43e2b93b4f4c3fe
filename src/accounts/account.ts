/** Sandbox keys make sandbox orders, live keys real ones; everything either makes is invisible to the other. */
export type KeyMode = 'sandbox' | 'live';

/** Whom a request speaks for: every query for an account's things is bound to both. */
export type Caller = { accountId: string; mode: KeyMode; keyId: string };

const KEY_PATTERN = /^ds_(test|live)_[A-Za-z0-9_-]{27,64}$/;

/** Whether the text has the shape of a key at all; says nothing of whether it is one. */
export function looksLikeKey(text: string): boolean {
  return KEY_PATTERN.test(text);
}

/** `ds_test_` or `ds_live_` and the secret; the shown hint is the prefix and the last four characters. */
export function keyText(mode: KeyMode, secret: string): { key: string; hint: string } {
  const prefix = mode === 'live' ? 'ds_live_' : 'ds_test_';
  return { key: prefix + secret, hint: `${prefix}…${secret.slice(-4)}` };
}

import { Refusal } from '../../platform/http/refusal.ts';
import { memoizedByObject } from '../../platform/lib/memo.ts';

/** Sandbox keys make sandbox orders, live keys make real orders. Neither mode sees the other's data. */
export type KeyMode = 'sandbox' | 'live';

/** What a key of an account may do. */
export const KEY_SCOPES = ['read', 'order', 'webhooks'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Whether an agent's tool places an order itself, or hands it over to a person at the hosted checkout. */
export const AGENT_ORDERS = ['place', 'handover'] as const;
export type AgentOrders = (typeof AGENT_ORDERS)[number];

/** The account and key mode of a request. Every query for an account's rows is limited to both. */
export type Caller = { accountId: string; mode: KeyMode; keyId: string };

/** The caller of an endpoint, with what its key may do. */
export type KeyCaller = Caller & { scopes: readonly KeyScope[] };

/** The refusal of a key without the endpoint's mode or scope; undefined for one that has them. */
export function keyRefusal(
  { mode, scopes }: Pick<KeyCaller, 'mode' | 'scopes'>,
  { sandboxOnly, scope }: { sandboxOnly?: true; scope?: KeyScope | 'any' },
): Refusal | undefined {
  if (sandboxOnly && mode !== 'sandbox') return new Refusal('sandbox_only', 'This endpoint is for sandbox keys.');
  if (scope === undefined || scope === 'any' || scopes.includes(scope)) return undefined;
  return new Refusal('scope_not_allowed', `This key lacks the scope \`${scope}\`; it has ${scopes.join(', ')}.`);
}

/** Whether the key may do what a customer's link does. No other key is shown such links. */
export function mayAct({ scopes }: Pick<KeyCaller, 'scopes'>): boolean {
  return scopes.includes('order');
}

/**
 * The account in whose sandbox a request acts; null for live. A sandbox has its own stock and slot counts, and sees the
 * places it added (docs/sandbox.md#sandbox-beside-live).
 */
export type Sandbox = string | null;

export function sandboxOf({ accountId, mode }: Pick<Caller, 'accountId' | 'mode'>): Sandbox {
  return mode === 'sandbox' ? accountId : null;
}

/** The unit of fair scheduling and limits: an account in one mode, so sandbox and live work count separately. */
export function ownerOf(caller: Pick<Caller, 'accountId' | 'mode'>): string {
  return ownerOfCaller(caller).name;
}

/** Memoized because every request of a key reads the owner several times. */
const ownerOfCaller = memoizedByObject(({ accountId, mode }: Pick<Caller, 'accountId' | 'mode'>) => ({
  name: `${accountId} ${mode}`,
}));

/**
 * Formats a key: `ds_test_` or `ds_live_`, then the secret. `hint`, which may be shown, is the prefix and the last four
 * characters.
 */
export function keyText(mode: KeyMode, secret: string): { key: string; hint: string } {
  const prefix = mode === 'live' ? 'ds_live_' : 'ds_test_';
  return { key: prefix + secret, hint: `${prefix}…${secret.slice(-4)}` };
}

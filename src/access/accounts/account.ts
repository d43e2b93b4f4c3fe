import { memoizedByObject } from 'doorstep/collections';
import { Refusal } from '../../platform/http/refusal.ts';

/** Sandbox keys make sandbox orders, live keys make real orders. Neither mode sees the other's data. */
export type KeyMode = 'sandbox' | 'live';

/** The permissions of an account key. */
export const KEY_SCOPES = ['read', 'order', 'webhooks'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Whether an agent's tool places an order itself, or hands it off to a person at the hosted checkout. */
export const AGENT_ORDERS = ['place', 'handover'] as const;
export type AgentOrders = (typeof AGENT_ORDERS)[number];

/** The account and key mode of a request. Every query for an account's rows is limited to both. */
export type Caller = {
  accountId: string;
  mode: KeyMode;
  keyId: string;
  visitor?: Visitor;
  /** The only user whose orders a caller with a customer's token sees. */
  userId?: string;
  /** Offers of the account and of the operator, as the JSON text that supply/promotions reads; null without any. */
  offers?: string | null | undefined;
};

/** The person at a page that sends a publishable key (docs/requests.md#publishable-keys). */
export type Visitor = {
  /** The client's address. */
  name: string;
  /** Whether the address is one client's; false if it may be a proxy of many. */
  isSingle: boolean;
  /** Refuses with rate_limited beyond the visitor's bound of the kind. */
  count(kind: VisitorBound): void;
};
export type VisitorBound = 'requests' | 'lookups' | 'carts';

/** The caller of an endpoint, with its key's permissions. A publishable key has origins, and its requests a visitor. */
export type KeyCaller = Caller & { scopes: readonly KeyScope[]; origins: readonly string[] | null };

/** An endpoint's requirements for an account key. */
export type KeyNeeds = {
  /** The scope that the key needs; `any`: the endpoint checks it itself. Mandatory if account keys are accepted. */
  scope?: KeyScope | 'any';
  /** Whether publishable keys, which have no scopes, may call it. */
  publishable?: true;
  /** Refuses live keys with 403 `sandbox_only`. */
  sandboxOnly?: true;
};

/** Returns the error of a key that lacks something the endpoint requires; undefined if it lacks nothing. */
export function keyRefusal(
  { mode, scopes, origins }: Pick<KeyCaller, 'mode' | 'scopes' | 'origins'>,
  { sandboxOnly, scope, publishable }: KeyNeeds,
): Refusal | undefined {
  if (origins !== null) {
    return publishable
      ? undefined
      : new Refusal('key_is_publishable', "This endpoint doesn't accept publishable keys.");
  }
  if (sandboxOnly && mode !== 'sandbox') return new Refusal('sandbox_only', 'This endpoint accepts only sandbox keys.');
  if (scope === undefined || scope === 'any' || scopes.includes(scope)) return undefined;
  return new Refusal(
    'scope_not_allowed',
    `This key lacks the scope \`${scope}\`. Its scopes are ${scopes.join(', ')}.`,
  );
}

/**
 * Whether the key may act like a customer's link; other keys never see such links. A visitor sees the links of
 * orders that the visitor stored or has the key of.
 */
export function mayAct({ scopes, origins }: Pick<KeyCaller, 'scopes' | 'origins'>): boolean {
  return scopes.includes('order') || origins !== null;
}

/**
 * The account in whose sandbox a request acts; null for live. A sandbox has its own stock and slot counts, and sees the
 * places it added (docs/sandbox.md#sandbox-and-live-data).
 */
export type Sandbox = string | null;

export function sandboxOf({ accountId, mode }: Pick<Caller, 'accountId' | 'mode'>): Sandbox {
  return mode === 'sandbox' ? accountId : null;
}

/**
 * The unit of fair scheduling and limits: an account in one mode, so sandbox and live work count separately, and each
 * visitor of its pages.
 */
type OwnerParts = Pick<Caller, 'accountId' | 'mode' | 'visitor'>;

export const ownerOf = (caller: OwnerParts): string => ownerOfCaller(caller).name;

/** Memoized because every request of a key reads the owner several times. */
const ownerOfCaller = memoizedByObject(({ accountId, mode, visitor }: OwnerParts) => ({
  name: visitor ? `${accountId} ${mode} ${visitor.name}` : `${accountId} ${mode}`,
}));

const PREFIXES = {
  secret: { live: 'ds_live_', sandbox: 'ds_test_' },
  publishable: { live: 'ds_pub_', sandbox: 'ds_pub_test_' },
};

/**
 * Formats a key: `ds_test_`, `ds_live_`, `ds_pub_test_` or `ds_pub_`, then the secret. `hint`, which may be shown, is
 * the prefix and the last four characters.
 */
export function keyText(kind: keyof typeof PREFIXES, mode: KeyMode, secret: string): { key: string; hint: string } {
  const prefix = PREFIXES[kind][mode];
  return { key: prefix + secret, hint: `${prefix}…${secret.slice(-4)}` };
}

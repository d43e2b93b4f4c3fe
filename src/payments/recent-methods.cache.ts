import { LRUCache } from 'lru-cache';
import type { Caller } from '../accounts/account.ts';
import { lastUsed } from '../lib/last-used.ts';
import type { PaymentMethod } from './payment-method.ts';

/** A payment method takes some 400 bytes of memory. */
const MAX_METHODS = 20_000;

type World = Pick<Caller, 'accountId' | 'mode'>;

/**
 * Payment methods that this node has stored or read. A payment method may have been deleted since, so that a reader
 * confirms it with PostgreSQL before a card is charged; no other field of a payment method changes.
 */
export type RecentMethods = {
  note(world: World, method: PaymentMethod): void;
  /** The payment method of an account's world; undefined where this node knows none. */
  find(world: World, paymentMethodId: string): PaymentMethod | undefined;
};

export function createRecentMethods(): RecentMethods {
  const methods = new LRUCache<string, PaymentMethod>(lastUsed(MAX_METHODS));
  return {
    note: (world, method) => void methods.set(keyOf(world, method.paymentMethodId), method),
    find: (world, paymentMethodId) => methods.get(keyOf(world, paymentMethodId)),
  };
}

function keyOf({ accountId, mode }: World, paymentMethodId: string): string {
  return `${accountId} ${mode} ${paymentMethodId}`;
}

import type { Sandbox } from '../../accounts/account.ts';
import type { IntLists } from '../../lib/columns/int-lists.ts';

/** The stores of an index that exist for the sandboxes of some accounts alone. There are few beside all stores. */
export type SandboxPlaces = {
  /** Sets the accounts of the store; null: the store is everyone's. Returns whether any store had or has accounts. */
  set(ordinal: number, accounts: readonly string[] | null): boolean;
  clear(ordinal: number): void;
  /** The sandbox itself where a store of the index is its own, else null: it sees what live callers see. */
  ownerOf(sandbox: Sandbox): Sandbox;
  /** Whether the store exists for the sandbox. */
  isShown(ordinal: number, sandbox: Sandbox): boolean;
  readonly size: number;
};

export function createSandboxPlaces(): SandboxPlaces {
  const accountsOf = new Map<number, ReadonlySet<string>>();
  const counts = new Map<string, number>();
  const count = (accounts: ReadonlySet<string>, change: number): void => {
    for (const account of accounts) {
      const left = (counts.get(account) ?? 0) + change;
      if (left === 0) counts.delete(account);
      else counts.set(account, left);
    }
  };
  function clear(ordinal: number): void {
    count(accountsOf.get(ordinal) ?? new Set(), -1);
    accountsOf.delete(ordinal);
  }
  return {
    set(ordinal, accounts) {
      const had = accountsOf.size > 0;
      clear(ordinal);
      if (accounts === null) return had;
      accountsOf.set(ordinal, new Set(accounts));
      count(new Set(accounts), 1);
      return true;
    },
    clear,
    ownerOf: (sandbox) => (sandbox !== null && counts.has(sandbox) ? sandbox : null),
    isShown(ordinal, sandbox) {
      const accounts = accountsOf.get(ordinal);
      return accounts === undefined || (sandbox !== null && accounts.has(sandbox));
    },
    get size() {
      return accountsOf.size;
    },
  };
}

/** Whether a name has a store that exists for the sandbox; `stores` has the stores of each name. */
export function shownNames(stores: IntLists, places: SandboxPlaces, sandbox: Sandbox): (nameId: number) => boolean {
  if (places.size === 0) return () => true;
  return (nameId) => {
    const start = stores.starts[nameId] as number;
    const ordinals = stores.data.subarray(start, start + (stores.counts[nameId] as number));
    return ordinals.some((ordinal) => places.isShown(ordinal, sandbox));
  };
}

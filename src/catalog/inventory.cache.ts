import { LRUCache } from 'lru-cache';
import type { Sandbox } from '../accounts/account.ts';
import { nextSlice, runInSlices } from '../load/event-loop-scheduler.ts';
import type { DeliveryFee } from '../stores/fees.ts';
import type { Mode } from '../stores/mode.ts';
import { createMenus, type MenusOptions } from './menus.cache.ts';
import type { ShownMenu } from './shown-menus.cache.ts';
import { isFresh, type SlotList, type SlotListQuestion, slotFeeJson, slotListAt, slotListSteps } from './slot-list.ts';
import { createSnapshots, type SnapshotsOptions, type StoreSnapshot } from './store-snapshots.cache.ts';

const MAX_SLOT_LIST_BYTES = 64 * 1024 * 1024;
/** A window's JSON is kept as text and as bytes. */
const SLOT_LIST_WEIGHT = 3;

/**
 * Inventories ready to send. An answer shows the state of the database at most two poll intervals ago: a store that no
 * poll has confirmed for so long (the database is down, or the store had no request) is confirmed first.
 */
export type InventoryCache = {
  /**
   * The store as a sandbox or live callers see it; undefined for an unknown store, and for a store of other sandboxes. No
   * promise where the snapshot is in memory and confirmed.
   */
  snapshot(storeId: string, sandbox: Sandbox): StoreSnapshot | undefined | Promise<StoreSnapshot | undefined>;
  /** The menu as of `now`, or undefined where the store has no such category. */
  menu(
    snapshot: StoreSnapshot,
    mode: Mode,
    categoryNo: number | null,
    now: Temporal.Instant,
  ): ShownMenu | Promise<ShownMenu | undefined>;
  /**
   * Writes the windows of a mode in slices, where they are not in memory as of `now`: `slots` then finds them. No promise
   * where there is nothing to write.
   */
  prepareSlots(snapshot: StoreSnapshot, mode: Mode, now: Temporal.Instant): Promise<void> | undefined;
  /** The windows of a mode; those of a delivery show this fee, or the store's own. */
  slots(snapshot: StoreSnapshot, mode: Mode, now: Temporal.Instant, fee?: DeliveryFee): SlotList;
  /** Bytes of all menus in memory. */
  readonly menuBytes: number;
  /**
   * Called by a writer of this process right after its commit: the next answer shows it. A writer that has changed the
   * count of one sandbox names the sandbox; the answers of all other callers stay in memory.
   */
  evict(storeId: string, sandbox?: Sandbox): void;
  close(): void;
};

export type InventoryCacheOptions = SnapshotsOptions & MenusOptions;

export function createInventoryCache(options: InventoryCacheOptions): InventoryCache {
  const { tokens } = options;
  const snapshots = createSnapshots(options);
  const menus = createMenus(options, snapshots.expire);
  const slotLists = new LRUCache<string, SlotList>({
    maxSize: MAX_SLOT_LIST_BYTES,
    sizeCalculation: (list) => list.json.bytes.length * SLOT_LIST_WEIGHT + 256,
  });
  /** Lists that are being written, by key: the requests of a moment share the work. */
  const writing = new Map<string, Promise<void>>();

  function questionOf(
    { store, sandbox, version, fullStarts }: StoreSnapshot,
    mode: Mode,
    now: Temporal.Instant,
    fee = store.fees.deliveryFee,
  ): { key: string; ownKey: string; question: SlotListQuestion } {
    const own = slotFeeJson(mode === 'delivery' ? store.fees.deliveryFee : null);
    const feeJson = slotFeeJson(mode === 'delivery' ? fee : null);
    // Views without a full window share their list.
    const view = fullStarts[mode].size === 0 ? '' : `:${sandbox ?? 'live'}`;
    const ownKey = `${store.storeId}:${mode}${view}`;
    const key = feeJson === own ? ownKey : `${ownKey}:${feeJson}`;
    const storeVersion = version.changedSeq;
    return { key, ownKey, question: { store, storeVersion, mode, now, fullStarts: fullStarts[mode], tokens, feeJson } };
  }

  async function writeSlots(key: string, question: SlotListQuestion): Promise<void> {
    while (!isFresh(question, slotLists.get(key))) {
      const shared = writing.get(key);
      if (shared) {
        await shared;
        continue;
      }
      const own = writeOne(key, question).finally(() => writing.delete(key));
      writing.set(key, own);
      await own;
      return;
    }
  }

  async function writeOne(key: string, question: SlotListQuestion): Promise<void> {
    await nextSlice();
    slotLists.set(key, await runInSlices(slotListSteps(question, slotLists.get(key))));
  }

  return {
    snapshot: snapshots.of,
    menu: menus.of,
    prepareSlots(snapshot, mode, now) {
      const { key, question } = questionOf(snapshot, mode, now);
      return isFresh(question, slotLists.get(key)) ? undefined : writeSlots(key, question);
    },
    slots(snapshot, mode, now, fee) {
      const { key, ownKey, question } = questionOf(snapshot, mode, now, fee);
      const kept = slotLists.get(key);
      // The list with the store's own fee is the one that was prepared.
      const previous = isFresh(question, kept) ? kept : (slotLists.get(ownKey) ?? kept);
      const list = slotListAt(question, previous);
      if (list !== previous) slotLists.set(key, list);
      return list;
    },
    get menuBytes() {
      return menus.bytes();
    },
    evict: snapshots.evict,
    close: snapshots.close,
  };
}

import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../../platform/db/connect.ts';
import type { OwnHours } from './hours.ts';
import { type Busy, busyMinutesAt, changedKitchen, type LearnedMinutes } from './kitchen.ts';
import { isPausedAt } from './open-state.ts';
import {
  findOwnHours,
  type PhotoChanges,
  type StoreSwitches,
  updateOwnHours,
  updateOwnPhotos,
  updateSwitches,
} from './set-store.db.ts';
import type { Agreement, Store } from './store.ts';
import { findStore, markStoreChanged, nextChange, notifyChange, updateStore } from './stores.db.ts';

/** Manual changes to a store: its switches, its pause, its busy kitchen, its own hours and photos, whether it may be sold. */

/**
 * Sets a store's switches in the caller's transaction; undefined if it does not exist. Writes nothing if nothing
 * changes. The caller evicts the inventory after the commit.
 */
export async function setStore(sql: Sql, storeId: string, switches: StoreSwitches, at: Temporal.Instant) {
  const before = await findStore(sql, storeId);
  if (!before || hasSwitches(before, switches)) return before;
  const { kitchen: change } = switches;
  const isChanged = change && Object.keys(change).length > 0;
  const kitchen = isChanged ? changedKitchen(before.kitchen, change) : undefined;
  return writeChange(sql, storeId, at, () => updateSwitches(sql, storeId, switches, kitchen));
}

function hasSwitches(store: Store, switches: StoreSwitches): boolean {
  const { onlineOrdering, acceptDelivery, acceptPickup, allowsMarkup, taxClass, kitchen } = switches;
  return (
    (onlineOrdering ?? store.onlineOrdering) === store.onlineOrdering &&
    (acceptDelivery ?? store.delivery.accepting) === store.delivery.accepting &&
    (acceptPickup ?? store.pickup.accepting) === store.pickup.accepting &&
    (allowsMarkup ?? store.allowsMarkup) === store.allowsMarkup &&
    (taxClass ?? store.taxClass) === store.taxClass &&
    isDeepStrictEqual(changedKitchen(store.kitchen, kitchen ?? {}), changedKitchen(store.kitchen, {}))
  );
}

/**
 * Pauses a store until a moment, rounded up to a whole second as in search, in the caller's transaction. Replaces an
 * earlier pause; undefined if the store does not exist. The caller evicts the inventory after the commit.
 */
export async function pauseStore(sql: Sql, storeId: string, until: Temporal.Instant, at: Temporal.Instant) {
  return setPause(sql, storeId, wholeSecond(until), at);
}

/** Ends a pause, in the caller's transaction. Writes nothing if it has already ended. */
export async function resumeStore(sql: Sql, storeId: string, at: Temporal.Instant): Promise<Store | undefined> {
  return setPause(sql, storeId, null, at);
}

async function setPause(sql: Sql, storeId: string, until: Temporal.Instant | null, at: Temporal.Instant) {
  const before = await findStore(sql, storeId);
  if (!before || hasPause(before, until, at)) return before;
  return writeChange(sql, storeId, at, () => updateStore(sql, storeId, { pausedUntil: textOf(until) }));
}

function hasPause(store: Store, until: Temporal.Instant | null, at: Temporal.Instant): boolean {
  if (until === null) return !isPausedAt(store, at);
  return store.pausedUntil?.epochMilliseconds === until.epochMilliseconds;
}

/** Adds minutes to every new order of a store, as `pauseStore` does; null ends it. */
export async function setBusy(sql: Sql, storeId: string, busy: Busy | null, at: Temporal.Instant) {
  const before = await findStore(sql, storeId);
  if (!before || (busy === null && busyMinutesAt(before.busy, at) === 0)) return before;
  const until = busy && wholeSecond(busy.until);
  if (until && before.busy?.minutes === busy.minutes && until.equals(before.busy.until)) return before;
  const times = { busyMinutes: busy?.minutes ?? null, busyUntil: textOf(until) };
  return writeChange(sql, storeId, at, () => updateStore(sql, storeId, times));
}

/** Sets the prep-time estimates that a store quotes, as `pauseStore` does; null returns to its stated minutes. */
export async function setLearned(sql: Sql, before: Store, learned: LearnedMinutes | null, at: Temporal.Instant) {
  if (learned === null && before.learned === null) return before;
  const { storeId } = before;
  const learnedMinutes = learned && JSON.stringify(learned);
  const update = () => updateStore(sql, storeId, { learnedMinutes, learnedAt: learned && at.toString() });
  if (!isDeepStrictEqual(before.learned, learned)) return writeChange(sql, storeId, at, update);
  await update();
  return before;
}

const wholeSecond = (at: Temporal.Instant) => at.round({ smallestUnit: 'second', roundingMode: 'ceil' });
const textOf = (at: Temporal.Instant | null): string | null => at?.toString() ?? null;

/**
 * Sets a store's hours or exceptions, or returns to the feed's (null), until they are set again or the feed changes
 * them. Omitted values are not written, so that concurrent changes do not collide. The caller evicts the inventory
 * after the commit.
 */
export async function setOwnHours(sql: Sql, storeId: string, changes: Partial<OwnHours>, at: Temporal.Instant) {
  const before = await findStore(sql, storeId);
  const known = await findOwnHours(sql, storeId);
  if (!before || isDeepStrictEqual(known, { ...known, ...changes })) return before;
  return writeChange(sql, storeId, at, () => updateOwnHours(sql, storeId, changes));
}

/**
 * Sets kinds of a store's photos, or returns to the feed's (null), until they are set again or the feed changes them.
 * The caller evicts the inventory after the commit.
 */
export async function setOwnPhotos(sql: Sql, storeId: string, changes: PhotoChanges, at: Temporal.Instant) {
  return writeChange(sql, storeId, at, () => updateOwnPhotos(sql, storeId, changes));
}

/** Records that a store agreed to be sold, which overrides its feed. The caller evicts the inventory after the commit. */
export async function setAgreement(sql: Sql, storeId: string, agreement: Agreement, at: Temporal.Instant) {
  return writeChange(sql, storeId, at, () => updateStore(sql, storeId, { agreement: JSON.stringify(agreement) }));
}

/**
 * Takes a store out of search and sale for a reason, until it is undone (null), while its feeds may continue listing
 * it. The caller evicts the inventory after the commit.
 */
export async function setDelisting(sql: Sql, storeId: string, reason: string | null, at: Temporal.Instant) {
  const delisting = { delistedAt: reason === null ? null : at.toString(), delistReason: reason };
  return writeChange(sql, storeId, at, () => updateStore(sql, storeId, delisting));
}

/** Sets the first room that search shows, in the caller's transaction. Writes nothing if it is the same now. */
export async function setRoomFrom(sql: Sql, storeId: string, roomFrom: Temporal.Instant | null, at: Temporal.Instant) {
  const before = (await findStore(sql, storeId))?.roomFrom ?? null;
  const isPast = before === null || Temporal.Instant.compare(before, at) <= 0;
  if (roomFrom === null ? isPast : before?.epochMilliseconds === roomFrom.epochMilliseconds) return;
  await writeChange(sql, storeId, at, () => updateStore(sql, storeId, { roomFrom: textOf(roomFrom) }));
}

/** Writes a change under the change clock in the caller's transaction, so that all nodes see it. */
async function writeChange(sql: Sql, storeId: string, at: Temporal.Instant, write: () => Promise<unknown>) {
  await markStoreChanged(sql, storeId, { seq: await nextChange(sql), at });
  await write();
  await notifyChange(sql);
  return findStore(sql, storeId);
}

import assert from 'node:assert/strict';
import { type ChannelChanges, setChannels } from '../src/offers/set-channels.flow.ts';
import type { App } from './harness.ts';

/** Gives a store a way to receive live orders: the operator's console, unless `changes` says another. */
export async function givenChannel(app: App, storeId: string, changes: ChannelChanges = { operator: true }) {
  const { db, inventory, clock } = app.service.deps;
  const set = await db.transaction().execute((tx) => setChannels(tx, storeId, changes, clock.now()));
  inventory.evict(storeId);
  await app.catchUp();
  return set ?? assert.fail(`no store ${storeId}`);
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { listActions } from '../../access/sessions/actions.db.ts';

test('operators see all notes about a store, the store only its own, and each deletes what it sees', async (t) => {
  const { app, storeId } = await givenLiveShop(t);
  const [operator, store] = [await givenConsole(app, null), await givenStoreKey(app, storeId)];
  const ofOperator = await operator.post('/operator/notes', { store_id: storeId, text: ' Prefers calls before 11. ' });
  assert.deepEqual([ofOperator.status, ofOperator.body.text], [200, 'Prefers calls before 11.']);
  await app.advance({ seconds: 1 });
  const ofStore = await store.post('/store/notes', { text: 'Closed for a week in May.' });
  assert.deepEqual([ofStore.body.written_by, ofStore.body.writer], ['store', null]);
  const textsOf = async (client: typeof store, path: string, query = {}) =>
    (await client.get(path, query)).body.notes.map(({ text }: { text: string }) => text);
  const all = () => textsOf(operator, '/operator/notes', { store_id: storeId });
  assert.deepEqual(await all(), ['Closed for a week in May.', 'Prefers calls before 11.']);
  assert.deepEqual(await textsOf(store, '/store/notes'), ['Closed for a week in May.']);
  assert.equal((await store.post(`/store/notes/${ofOperator.body.note_id}/end`, {})).body.code, 'not_found');
  assert.equal((await operator.post(`/operator/notes/${ofStore.body.note_id}/end`, {})).status, 200);
  assert.deepEqual(await all(), ['Prefers calls before 11.']);
  const unknown = await operator.post('/operator/notes', { store_id: 'unknown', text: 'Hello.' });
  assert.equal(unknown.body.code, 'store_not_found');
  const actions = await listActions(app.service.deps.db, { target: storeId, limit: 5 });
  const named = actions.map(({ action, details }) => [action, details]);
  assert.deepEqual(named.slice(0, 2), [
    ['store.end_note', { note_id: ofStore.body.note_id }],
    ['store.note', { note_id: ofOperator.body.note_id }],
  ]);
});

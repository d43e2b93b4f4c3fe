import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNameIndex } from '../name.index.ts';
import { createGroupLists } from './group-lists.index.ts';
import { createNamedGroups } from './named-groups.index.ts';
import { createRecentChanges } from './recent-changes.index.ts';

function givenLists(stores: number) {
  const changes = createRecentChanges();
  const names = createNameIndex(changes, () => () => true);
  for (let ordinal = 0; ordinal < stores; ordinal += 1) names.set(ordinal, 'Golden Grill');
  const cellKeys = Uint32Array.from({ length: stores + 1 }, (_, ordinal) => stores - ordinal);
  return { changes, names, lists: createGroupLists({ spatial: { cellKeys }, names, changes }) };
}

test('a group pays for each of its lists', () => {
  const { changes, lists } = givenLists(5);
  const group = Uint32Array.of(1);
  lists.noteVisits(group, 100);
  lists.make(group);
  for (let n = 0; n < 2000; n += 1) changes.note(77);
  assert.equal(lists.listOf(group), null, 'too old');
  assert.equal(lists.noteVisits(group, 3), 3);
});

test('the group of one name is found by its list again, until the name has another number', () => {
  const { names, lists } = givenLists(5);
  const groupOfName = createNamedGroups();
  const [id = 0] = [names.idOf('golden grill')];
  lists.make(groupOfName(id).at(0) as Uint32Array);
  assert.deepEqual(lists.listOf(groupOfName(id).at(0) as Uint32Array)?.ordinals, Uint32Array.of(4, 3, 2, 1, 0));
  assert.equal(lists.listOf(groupOfName(id + 1).at(0) as Uint32Array), null);
});

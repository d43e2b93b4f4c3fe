import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeHours, weeklyHours } from '../../supply/stores/hours.ts';
import { missingNeeds } from './missing-needs.ts';

const week = (ranges: { startMinute: number; endMinute: number }[]) =>
  completeHours({ operational: weeklyHours((day) => (day === 5 ? ranges : [])) });
const NOTHING = {
  hasCatalog: false,
  hours: completeHours({ operational: null }),
  photos: { logo: [], store: [], food: [] },
};

test('a store lacks each thing until it has it, and closed days are no hours', () => {
  const { photos } = NOTHING;
  assert.deepEqual(missingNeeds(NOTHING, { hasChannel: false }), ['menu', 'hours', 'photo', 'channel']);
  assert.deepEqual(missingNeeds({ ...NOTHING, hasCatalog: true }, { hasChannel: true }), ['hours', 'photo']);
  assert.deepEqual(missingNeeds({ ...NOTHING, hours: week([]) }, { hasChannel: true }), ['menu', 'hours', 'photo']);
  const open = week([{ startMinute: 660, endMinute: 1320 }]);
  for (const kind of ['logo', 'store', 'food'] as const) {
    const shown = { ...photos, [kind]: ['https://cdn.example/a.png'] };
    assert.deepEqual(missingNeeds({ hasCatalog: true, hours: open, photos: shown }, { hasChannel: true }), []);
  }
});

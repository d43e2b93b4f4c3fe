import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { type App, givenApp } from '../../../test/harness.ts';

const PLACE = { latitude: 40.7383, longitude: -73.9927 };

const isOpen = async (app: App): Promise<boolean> => {
  const { body } = await app.get('/search/store/v3', PLACE);
  const filtered = await app.get('/search/store/v3', { ...PLACE, open: true });
  assert.equal(filtered.body.stores.length, body.stores[0].is_open ? 1 : 0);
  return body.stores[0].is_open;
};

/** A store in New York with these hours, observed at these moments. */
async function openAt(t: TestContext, hours: Record<string, string>, moments: readonly string[]): Promise<boolean[]> {
  const [first = '', ...later] = moments;
  const app = await givenApp({ start: first });
  // An application left open by a failure would keep the process alive and hide the failure.
  t.after(() => app.close());
  await givenStore(app.service.deps.db, { hours: { operational: hours } });
  await app.catchUp();
  const seen = [await isOpen(app)];
  for (const moment of later) {
    await app.advance(app.now().until(Temporal.Instant.from(moment)));
    seen.push(await isOpen(app));
  }
  return seen;
}

test('a night that ends after midnight is open until its end, on the next day', async (t) => {
  const seen = await openAt(t, { Friday: '11:00PM - 02:00AM' }, [
    '2026-06-13T02:59:00Z',
    '2026-06-13T03:00:00Z',
    '2026-06-13T05:59:00Z',
    '2026-06-13T06:00:00Z',
  ]);
  assert.deepEqual(seen, [false, true, true, false]);
});

test('in spring the skipped hour closes a store at the change, and it opens by the new clock', async (t) => {
  const seen = await openAt(t, { Saturday: '10:00PM - 02:30AM', Sunday: '09:00AM - 05:00PM' }, [
    '2026-03-08T06:59:00Z',
    '2026-03-08T07:00:00Z',
    '2026-03-08T12:59:00Z',
    '2026-03-08T13:00:00Z',
  ]);
  assert.deepEqual(seen, [true, false, false, true]);
});

test('in autumn a store opens an hour later on the clock of the world', async (t) => {
  const seen = await openAt(t, { Saturday: '09:00AM - 05:00PM', Sunday: '09:00AM - 05:00PM' }, [
    '2026-10-31T12:59:00Z',
    '2026-10-31T13:00:00Z',
    '2026-11-01T13:59:00Z',
    '2026-11-01T14:00:00Z',
    '2026-11-01T22:00:00Z',
  ]);
  assert.deepEqual(seen, [false, true, false, true, false]);
});

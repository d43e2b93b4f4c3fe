import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { after, test } from 'node:test';
import { createGoogleGeocoder } from '../../../plugins/google-maps/geocoder.ts';
import { schemaOrg } from '../../../plugins/schema-org/open-schema-org.flow.ts';
import { givenGeocoder, googleAnswer } from '../../../test/fakes/given-geocoder.ts';
import { givenImport } from '../../../test/given/import.ts';
import { givenApp } from '../../../test/harness.ts';
import { schemaOrgShop } from '../../../test/schema-org-pages.ts';
import type { ImportResult } from '../../supply/imports/import-result.ts';
import { runImport } from './import.ts';

const given = await givenImport(givenApp);
const server = await givenGeocoder();
const { db, clock, folder } = given;
after(async () => {
  await server.close();
  await given.close();
});

/** Imports a page; `geo: undefined` leaves out its coordinate. */
async function importPage(source: string, more: object, isKnown = true) {
  const file = join(folder, `${source}.jsonld`);
  writeFileSync(file, JSON.stringify({ ...schemaOrgShop(), ...more }));
  const geocoder = createGoogleGeocoder({ baseUrl: server.baseUrl, apiKey: 'key', log: console });
  const out = new PassThrough();
  const site = new URL('https://kitchen.example');
  const command = { files: [file], format: schemaOrg, source, site, json: true, stdin: Readable.from([]), out };
  const deps = { db, clock, err: new PassThrough(), geocoder: isKnown ? geocoder : undefined };
  await runImport({ ...command, ...deps });
  const result: ImportResult = JSON.parse(String(out.read()));
  const rows = await db.selectFrom('stores').select('profile').where('source', '=', source).execute();
  const errors = result.errors.map(({ path, message }) => `${path}: ${message}`);
  return { result, errors, profile: rows[0]?.profile };
}

test('a page without geo has the coordinate of its address, and its time zone; importing it again changes nothing', async () => {
  server.answer(googleAnswer({ latitude: 41.8501, longitude: -87.6502 }));
  const first = await importPage('found', { geo: undefined });
  assert.deepEqual([first.result.created, first.errors], [1, []]);
  const { latitude, longitude, timeZone } = first.profile ?? assert.fail();
  assert.deepEqual([latitude, longitude, timeZone], [41.8501, -87.6502, 'America/Chicago']);
  assert.match(server.requests.at(-1)?.query.address ?? '', /^1 Main St, Chicago, IL 60607, US$/);
  assert.equal((await importPage('found', { geo: undefined })).result.unchanged, 1);
});

test("a page's own coordinate is not looked up, nor a page without a street or a geocoder", async () => {
  const before = server.requests.length;
  assert.equal((await importPage('own', {})).result.created, 1);
  const missing = ['latitude', 'longitude'].map((key) => `Restaurant Test Kitchen: ${key}: expected present`);
  assert.deepEqual((await importPage('none', { geo: undefined }, false)).errors, missing);
  const nowhere = { '@type': 'PostalAddress', addressLocality: 'Chicago', addressRegion: 'IL', postalCode: '60607' };
  assert.equal((await importPage('street', { geo: undefined, address: nowhere })).result.rejected, 1);
  assert.equal(server.requests.length, before);
});

test('an address that the geocoder does not find as a door, or finds in another state, rejects its store and says so', async () => {
  const answers = {
    nothing: { results: [], status: 'ZERO_RESULTS' },
    city: googleAnswer({ types: ['locality'], locationType: 'APPROXIMATE' }),
    elsewhere: googleAnswer({ latitude: 40.7, longitude: -74 }),
  };
  for (const [source, answer] of Object.entries(answers)) {
    server.answer(answer);
    const { result, errors } = await importPage(source, { geo: undefined });
    assert.equal(result.rejected, 1, source);
    assert.match(errors[0] ?? '', /geo: expected a coordinate: no geocoder match of the address$/);
  }
});

test('a geocoder that fails ends the file, whose stores are neither rejected nor imported', async () => {
  server.trouble({ status: 500 });
  const { result, errors } = await importPage('failing', { geo: undefined });
  assert.deepEqual([result.created, result.rejected], [0, 0]);
  assert.equal(errors.length, 1);
});

import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { TileType } from 'pmtiles';
import { ATTRIBUTION, archiveOf, givenTiles, readArchive } from '../../../test/given/tiles.ts';
import { openPmtilesFile } from './pmtiles-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'doorstep-tiles-'));
after(() => rm(folder, { recursive: true }));

const openSentence = (path: string) =>
  openPmtilesFile(path).then(
    () => 'opened',
    (error: Error) => `${error.name}: ${error.message}`,
  );
const archivePath = (name: string) => join(folder, `${name}.pmtiles`);

test('the format’s own reader accepts the tests’ archive', async () => {
  const archive = readArchive(archiveOf({}));
  const header = await archive.getHeader();
  assert.deepEqual([header.specVersion, header.tileType, header.minZoom, header.maxZoom], [3, TileType.Mvt, 10, 15]);
  assert.ok(header.minLon < -73.99 && header.maxLon > -73.99 && header.minLat < 40.74 && header.maxLat > 40.74);
  assert.equal(Object(await archive.getMetadata()).attribution, ATTRIBUTION);
  const tile = await archive.getZxy(14, 4823, 6158);
  assert.ok(tile && tile.data.byteLength > 100);
  assert.equal(await archive.getZxy(14, 0, 0), undefined);
});

test('an archive of streets and an archive of pictures are taken', async () => {
  assert.equal(await openSentence(await givenTiles(archivePath('streets'))), 'opened');
  const pictures = await givenTiles(archivePath('pictures'), { tileType: TileType.Webp, layers: [] });
  assert.equal(await openSentence(pictures), 'opened');
});

test('a missing or undrawable file is an invalid setting with its reason, without its path', async () => {
  await writeFile(archivePath('text'), 'Streets of our town');
  await writeFile(archivePath('empty'), '');
  const cut = await givenTiles(archivePath('cut'));
  await truncate(cut, (await stat(cut)).size - 1);
  const sentences = {
    [archivePath('missing')]: 'could not be read: no such file',
    [folder]: 'is no PMTiles archive of version 3',
    [archivePath('text')]: 'is no PMTiles archive of version 3',
    [archivePath('empty')]: 'is no PMTiles archive of version 3',
    [cut]: 'is cut short: the archive is longer than the file',
    [await givenTiles(archivePath('old'), { version: 2 })]: 'is no PMTiles archive of version 3',
    [await givenTiles(archivePath('new'), { version: 4 })]: 'is no PMTiles archive of version 3',
    [await givenTiles(archivePath('odd'), { tileType: TileType.Unknown })]:
      'has neither vector tiles (MVT) nor raster tiles',
    [await givenTiles(archivePath('other'), { layers: ['transportation'] })]:
      'has vector tiles without the layer "roads" of the Protomaps basemap',
  };
  for (const [path, sentence] of Object.entries(sentences)) {
    assert.equal(await openSentence(path), `ConfigError: MAP_TILES ${sentence}.`);
  }
});

test('a replaced archive is the next one sent, with another ETag; nodes with the same archive send the same ETag', async () => {
  const [path, copy] = [await givenTiles(archivePath('first')), await givenTiles(archivePath('copy'))];
  const [archive, other] = [await openPmtilesFile(path), await openPmtilesFile(copy)];
  const tagOf = async ({ open }: typeof archive) => {
    const opened = await open();
    await opened?.close();
    return opened?.etag;
  };
  const tag = await tagOf(archive);
  assert.match(String(tag), /^"[\w-]{22}"$/);
  assert.equal(await tagOf(other), tag);
  await rename(await givenTiles(archivePath('second'), { attribution: 'Another town' }), path);
  assert.notEqual(await tagOf(archive), tag);
  await rm(path);
  assert.equal(await archive.open(), undefined);
});

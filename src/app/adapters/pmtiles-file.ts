import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Header, PMTiles, type Source, TileType } from 'pmtiles';
import { ConfigError } from '../../platform/config/config.ts';
import { isJsonObject, listIn } from '../../platform/lib/json-object.ts';
import { UnreadableFile } from '../../platform/lib/read-bytes.ts';
import type { OpenTileArchive, TileArchive } from '../../surfaces/tracking/tile-archive.ts';

/* Tiles of the hosted maps from a PMTiles file on this machine. */

const RASTER = [TileType.Png, TileType.Jpeg, TileType.Webp, TileType.Avif];
/** The layer for streets in the map's style (docs/tracking.md#streets). */
const STREETS = 'roads';
/** Size of the header and root directory, as the format defines it. */
const BEGINNING_BYTES = 16_384;
/** Maximum bytes per read. Longer metadata does not belong to a street archive. */
const MAX_READ_BYTES = 16 * 1024 * 1024;

/**
 * Opens the PMTiles archive at the path. It is reopened for every response, so that a replaced file is served next.
 * Throws ConfigError for a missing file, or if the map cannot draw it.
 */
export async function openPmtilesFile(path: string): Promise<TileArchive> {
  const file = await open(path).catch((error) => {
    throw badFile(new UnreadableFile(path, error).message.replace(`${path} `, ''));
  });
  try {
    await checkArchive(file);
  } finally {
    await file.close();
  }
  const etags = createEtags();
  return { open: () => openArchive(path, etags) };
}

async function checkArchive(file: FileHandle): Promise<void> {
  const archive = new PMTiles(fileSource(file));
  const header = await archive.getHeader().catch(() => undefined);
  if (header?.specVersion !== 3) throw badFile('is no PMTiles archive of version 3');
  if (archiveEnd(header) > (await file.stat()).size) throw badFile('is cut short: the archive is longer than the file');
  if (RASTER.includes(header.tileType)) return;
  if (header.tileType !== TileType.Mvt) throw badFile('has neither vector tiles (MVT) nor raster tiles');
  const metadata: unknown = await archive.getMetadata().catch(() => undefined);
  if (!layersOf(metadata).includes(STREETS)) {
    throw badFile(`has vector tiles without the layer "${STREETS}" of the Protomaps basemap`);
  }
}

function archiveEnd(header: Header): number {
  return Math.max(
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  );
}

/** Returns the vector layer ids named by an archive's metadata. */
function layersOf(metadata: unknown): unknown[] {
  const layers = isJsonObject(metadata) ? listIn(metadata, 'vector_layers') : [];
  return layers.map((layer) => isJsonObject(layer) && layer.id);
}

function fileSource(file: FileHandle): Source {
  return {
    getKey: () => 'file',
    getBytes: async (offset, length) => ({ data: await readBytes(file, offset, Math.min(length, MAX_READ_BYTES)) }),
  };
}

async function readBytes(file: FileHandle, offset: number, length: number): Promise<ArrayBuffer> {
  const bytes = new ArrayBuffer(length);
  const { bytesRead } = await file.read(new Uint8Array(bytes), 0, length, offset);
  return bytes.slice(0, bytesRead);
}

/** Computes an ETag once per state of a file. */
type Etags = (file: FileHandle, stats: Stats) => Promise<string>;

async function openArchive(path: string, etagOf: Etags): Promise<OpenTileArchive | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    return {
      sizeBytes: stats.size,
      etag: await etagOf(file, stats),
      read: (start, end) => file.createReadStream({ start, end }),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Creates ETags that are equal on every node with the same file: its beginning has offset and length of all else. */
function createEtags(): Etags {
  let known = { state: '', etag: '' };
  return async (file, { size, mtimeMs, ino }) => {
    const state = `${size} ${mtimeMs} ${ino}`;
    if (known.state === state) return known.etag;
    const beginning = new Uint8Array(await readBytes(file, 0, BEGINNING_BYTES));
    const digest = createHash('sha256').update(String(size)).update(beginning).digest('base64url');
    known = { state, etag: `"${digest.slice(0, 22)}"` };
    return known.etag;
  };
}

const badFile = (reason: string): ConfigError => new ConfigError([`MAP_TILES ${reason.replace(/\.$/, '')}.`]);

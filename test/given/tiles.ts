import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { geoJSONToTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { Compression, PMTiles, TileType, tileIdToZxy, zxyToTileId } from 'pmtiles';

/** A made-up town around the store and the door of `givenTracked`. */
const TOWN = { west: -74.01, south: 40.72, east: -73.97, north: 40.765 };
const TOWN_BOUNDS = [TOWN.west, TOWN.south, TOWN.east, TOWN.north] as const;
const ZOOMS = [10, 11, 12, 13, 14, 15];
const BLOCK_DEGREES = 0.0025;
const HEADER_BYTES = 127;

export const ATTRIBUTION = '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a> contributors';

/** Contents of an archive; omitted members default to those of the made-up town. */
export type ArchiveOptions = {
  name?: string;
  attribution?: string;
  content?: Layers;
  layers?: readonly string[];
  tileType?: TileType;
  version?: number;
  /** The bytes of every tile instead of the content. */
  picture?: Buffer;
  zooms?: readonly number[];
  /** Of the content: west, south, east, north. */
  area?: readonly [number, number, number, number];
  /** Bounds in the header, by default the area. */
  bounds?: readonly [number, number, number, number];
};

export type Feature = {
  type: 'Feature';
  properties: Readonly<Record<string, string>>;
  geometry: { type: 'LineString'; coordinates: number[][] } | { type: 'Polygon'; coordinates: number[][][] };
};
export type Layers = Readonly<Record<string, { type: 'FeatureCollection'; features: Feature[] }>>;

/** Writes a PMTiles archive in the layers of the Protomaps basemap, by default of a made-up grid of streets. */
export async function givenTiles(path: string, options: ArchiveOptions = {}): Promise<string> {
  await writeFile(path, archiveOf(options));
  return path;
}

/** The archive of the bytes, as the reader of the format reads it. */
export function readArchive(bytes: Buffer): PMTiles {
  return new PMTiles({
    getKey: () => 'bytes',
    getBytes: async (offset, length) => ({ data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer }),
  });
}

/** The bytes of the archive (PMTiles specification, version 3): header, root directory, metadata, tiles. */
export function archiveOf({
  name = 'Test town',
  attribution = ATTRIBUTION,
  content = townLayers(),
  layers = Object.keys(content),
  picture,
  zooms = ZOOMS,
  area = TOWN_BOUNDS,
  bounds = area,
  ...more
}: ArchiveOptions): Buffer {
  const tiles = tileIds(zooms, area).map((id) => ({ id, bytes: gzipSync(picture ?? tileOf(id, content)) }));
  const directory = gzipSync(directoryOf(tiles));
  const vectorLayers = layers.map((id) => ({ id, fields: {} }));
  const metadata = gzipSync(JSON.stringify({ name, attribution, vector_layers: vectorLayers }));
  const data = Buffer.concat(tiles.map(({ bytes }) => bytes));
  const header = headerOf(directory.length, metadata.length, data.length, tiles.length, { zooms, bounds, ...more });
  return Buffer.concat([header, directory, metadata, data]);
}

function headerOf(
  ...[directoryBytes, metadataBytes, dataBytes, tileCount, { version = 3, tileType = TileType.Mvt, zooms, bounds }]: [
    ...[number, number, number, number],
    ArchiveOptions & Required<Pick<ArchiveOptions, 'zooms' | 'bounds'>>,
  ]
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles');
  header.writeUInt8(version, 7);
  const [metadataAt, dataAt] = [HEADER_BYTES + directoryBytes, HEADER_BYTES + directoryBytes + metadataBytes];
  const counts = [tileCount, tileCount, tileCount];
  const places = [HEADER_BYTES, directoryBytes, metadataAt, metadataBytes, dataAt, 0, dataAt, dataBytes, ...counts];
  for (const [index, value] of places.entries()) header.writeBigUInt64LE(BigInt(value), 8 + index * 8);
  const [minZoom = 0, maxZoom = 0] = [zooms[0], zooms.at(-1)];
  header.set([1, Compression.Gzip, Compression.Gzip, tileType, minZoom, maxZoom], 96);
  for (const [index, degrees] of bounds.entries()) {
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + index * 4);
  }
  return header;
}

function tileIds(zooms: readonly number[], [west, south, east, north]: Required<ArchiveOptions>['area']): number[] {
  return zooms
    .flatMap((z) => {
      const [[left, top], [right, bottom]] = [tileAt(z, west, north), tileAt(z, east, south)];
      const columns = Array.from({ length: right - left + 1 }, (_, index) => left + index);
      const rows = Array.from({ length: bottom - top + 1 }, (_, index) => top + index);
      return columns.flatMap((x) => rows.map((y) => zxyToTileId(z, x, y)));
    })
    .sort((a, b) => a - b);
}

function tileAt(z: number, longitude: number, latitude: number): [number, number] {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const north = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [Math.floor((longitude / 360 + 0.5) * 2 ** z), Math.floor(north * 2 ** z)];
}

function tileOf(id: number, layers: Layers): Uint8Array {
  const [z, x, y] = tileIdToZxy(id);
  const tiles = Object.entries(layers).map(
    ([name, data]) => [name, geoJSONToTile(data, z, x, y, { clip: true })] as const,
  );
  return fromGeojsonVt(Object.fromEntries(tiles), { version: 2, extent: 4096 });
}

/** Directory columns: id deltas, run lengths, lengths, offsets. Offset 0 means contiguous with the tile before. */
function directoryOf(tiles: readonly { id: number; bytes: Buffer }[]): Buffer {
  const ids = tiles.map(({ id }, index) => id - (tiles[index - 1]?.id ?? 0));
  const lengths = tiles.map(({ bytes }) => bytes.length);
  const offsets = tiles.map((_, index) => (index === 0 ? 1 : 0));
  return Buffer.from([tiles.length, ...ids, ...tiles.map(() => 1), ...lengths, ...offsets].flatMap(varintOf));
}

const varintOf = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varintOf(Math.floor(value / 128))];

function townLayers(): Layers {
  const { west, south, east, north } = TOWN;
  const ground = [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ];
  const steps = (from: number, to: number) =>
    Array.from({ length: Math.floor((to - from) / BLOCK_DEGREES) }, (_, index) => from + (index + 0.5) * BLOCK_DEGREES);
  const avenues = steps(west, east).map((x, index) =>
    road('major_road', `Avenue ${index + 1}`, [
      [x, south],
      [x, north],
    ]),
  );
  const streets = steps(south, north).map((y, index) =>
    road('minor_road', `Street ${index + 1}`, [
      [west, y],
      [east, y],
    ]),
  );
  return {
    earth: collection([{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: ground } }]),
    roads: collection([...avenues, ...streets]),
  };
}

export const road = (kind: string, name: string, coordinates: number[][]): Feature => ({
  type: 'Feature',
  properties: { kind, name },
  geometry: { type: 'LineString', coordinates },
});

export const collection = (features: Feature[]): Layers[string] => ({ type: 'FeatureCollection', features });

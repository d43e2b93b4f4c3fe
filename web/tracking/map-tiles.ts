import { addProtocol, type SourceSpecification } from 'maplibre-gl';
import { PMTiles, Protocol, TileType } from 'pmtiles';
import type { MapPoint } from '../../src/tracking/map-view.ts';

export type MapTiles = {
  kind: 'vector' | 'raster';
  source: SourceSpecification;
  /** Whom the tiles are from, as plain text; empty where the tiles do not say. */
  attribution: string;
  /** Whether there are tiles for a place. */
  cover(place: MapPoint): boolean;
};

const MAX_ATTRIBUTION_LENGTH = 200;
const OSM = '© OpenStreetMap contributors';
/** Labels of a template that stand for the servers of one host. */
const SERVERS = ['a', 'b', 'c'];

/** The tiles of a URL: a template of raster tiles, or an archive whose header and metadata are read. Throws where there is no archive. */
export function readTiles(url: string): Promise<MapTiles> | MapTiles {
  return url.includes('{z}') ? templateTiles(url) : archiveTiles(new URL(url, location.href).href);
}

function templateTiles(url: string): MapTiles {
  const tiles = url.includes('{s}') ? SERVERS.map((server) => url.replace('{s}', server)) : [url];
  return {
    kind: 'raster',
    source: { type: 'raster', tiles, tileSize: 256, maxzoom: 19 },
    attribution: /openstreetmap|osm/i.test(url) ? OSM : '',
    cover: () => true,
  };
}

async function archiveTiles(url: string): Promise<MapTiles> {
  const archive = new PMTiles(url);
  const header = await archive.getHeader();
  const metadata: unknown = await archive.getMetadata();
  const protocol = new Protocol();
  protocol.add(archive);
  addProtocol('pmtiles', protocol.tile);
  const source = `pmtiles://${url}`;
  const isVector = header.tileType === TileType.Mvt;
  return {
    kind: isVector ? 'vector' : 'raster',
    source: isVector ? { type: 'vector', url: source } : { type: 'raster', url: source, tileSize: 256 },
    attribution: attributionIn(metadata),
    cover: ([latitude, longitude]) =>
      latitude >= header.minLat &&
      latitude <= header.maxLat &&
      longitude >= header.minLon &&
      longitude <= header.maxLon,
  };
}

/** The archive's own words. They may be markup, of which only the text is kept. */
function attributionIn(metadata: unknown): string {
  if (typeof metadata !== 'object' || metadata === null || !('attribution' in metadata)) return '';
  const { body } = new DOMParser().parseFromString(String(metadata.attribution), 'text/html');
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, MAX_ATTRIBUTION_LENGTH);
}

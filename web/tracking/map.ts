import { layers, namedFlavor } from '@protomaps/basemaps';
import { PMTiles, Protocol, TileType } from 'pmtiles';
import type { MapFiles, MapPoint, MapView, StorePin } from '../../src/fulfillment/deliveries/street-map.ts';
import {
  addProtocol,
  type ErrorEvent,
  GeoJSONSource,
  type IControl,
  type LayerSpecification,
  LngLatBounds,
  type LngLatLike,
  Map as MapLibre,
  Marker,
  NavigationControl,
  type RasterTileSource,
  type SourceSpecification,
  type StyleSpecification,
  setWorkerUrl,
  type Tile,
} from './maplibre-gl/maplibre-gl.mjs';

/**
 * The map of the tracking page and of the shop's list, for browsers with WebGL: streets from the service's tiles, and
 * pins of the store, the address and the driver, or of a chain's stores.
 */

/** Margins for the pins, the buttons on the right and the attribution. */
const FIT = { padding: { top: 26, bottom: 42, left: 30, right: 62 }, maxZoom: 16 };
/** Share of the map at its edge where the driver counts as nearly out of sight. */
const EDGE_PART = 0.08;

const FIRST_RELOAD_MS = 5000;

type Files = Pick<MapFiles, 'worker' | 'tiles'>;

/**
 * Creates a map with streets in the element, over the sketch, which stays visible until the map is drawn. Throws as
 * `openMap` does; then the sketch stays.
 */
export async function createMap(element: HTMLElement, files: Files, first: MapView) {
  let shown = first;
  const { map, isGentle } = await openMap(element, files, placesOf(first), () => shown.way);
  coverSketch(map, element);
  const pins = createPins(map, first, isGentle);
  const follow = createFollowing(map, isGentle);
  function show(view: MapView): void {
    shown = view;
    pins.move(view);
    const way = map.getSource('way');
    if (way instanceof GeoJSONSource) way.setData(lineOf(view.way));
    follow(view);
  }
  return { show };
}

/** Creates a map of stores, whose pins are links. Throws as `openMap` does; the returned function removes it. */
export async function createStoreMap(element: HTMLElement, files: Files, stores: readonly StorePin[]) {
  const places = stores.map(({ at }) => at);
  const { map } = await openMap(element, files, places, () => []);
  for (const { at, name, path } of stores) {
    const pin = pinOf('store', Object.assign(document.createElement('a'), { href: path, title: name }));
    new Marker({ element: pin }).setLngLat(lngLatOf(at)).addTo(map);
  }
  return () => map.remove();
}

/** Throws without WebGL, without an archive, and for places outside of the archive. */
async function openMap(
  element: HTMLElement,
  files: Files,
  places: readonly MapPoint[],
  wayOf: () => readonly MapPoint[],
) {
  setWorkerUrl(new URL(files.worker, location.href).href);
  const url = files.tiles;
  const tiles = url.includes('{z}') ? templateTiles(url) : await archiveTiles(new URL(url, location.href).href);
  if (!places.every(tiles.cover)) throw new Error('The tiles are of another part of the world.');
  const isGentle = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const style = () => styleOf(tiles, dark.matches, wayOf());
  const map = new MapLibre({
    container: element,
    style: style(),
    bounds: boundsOf(places),
    fitBoundsOptions: FIT,
    attributionControl: false,
    // One finger scrolls the page, two fingers move the map.
    cooperativeGestures: true,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    rollEnabled: false,
    maxZoom: 19,
    fadeDuration: isGentle ? 300 : 0,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }));
  if (tiles.attribution) map.addControl(attribution(tiles.attribution));
  reloadAfterErrors(map);
  dark.addEventListener('change', () => map.setStyle(style()));
  return { map, isGentle };
}

/** Loads the tiles again after one failed, which leaves a gap till then; after twice as long each time. */
function reloadAfterErrors(map: MapLibre): void {
  let [waitMs, timer] = [FIRST_RELOAD_MS, 0];
  const reload = () => {
    [waitMs, timer] = [waitMs * 2, 0];
    (map.getSource('tiles') as RasterTileSource).load(true);
  };
  map.on('error', ({ tile }: ErrorEvent & { tile?: Tile }) => {
    if (tile && timer === 0) timer = window.setTimeout(reload, waitMs);
  });
  map.once('remove', () => clearTimeout(timer));
}

/** Hides the sketch once the map is drawn, and shows it again while the device withdraws WebGL. */
function coverSketch(map: MapLibre, element: HTMLElement): void {
  const cover = (isDrawn: boolean) => element.parentElement?.classList.toggle('has-map', isDrawn);
  map.once('load', () => cover(true));
  map.on('webglcontextlost', () => cover(false));
  map.on('webglcontextrestored', () => cover(true));
}

/** Keeps the driver in view until the reader moves the map. */
function createFollowing(map: MapLibre, isGentle: boolean): (view: MapView) => void {
  let isTaken = false;
  map.on('movestart', ({ originalEvent }) => {
    if (originalEvent) isTaken = true;
  });
  return (view) => {
    const { x, y } = map.project(lngLatOf(view.driver));
    const { clientWidth: width, clientHeight: height } = map.getContainer();
    const [left, top] = [width * EDGE_PART, height * EDGE_PART];
    const isInSight = x > left && x < width - left && y > top && y < height - top;
    if (!isTaken && !isInSight) map.fitBounds(boundsOf(placesOf(view)), { ...FIT, animate: isGentle });
  };
}

function placesOf({ store, door, driver }: MapView) {
  return [store, driver, ...(door ? [door] : [])];
}

function boundsOf(places: readonly MapPoint[]): LngLatBounds {
  const bounds = new LngLatBounds();
  for (const place of places) bounds.extend(lngLatOf(place));
  return bounds;
}

/** Attribution of the tiles. OpenStreetMap's license requires a link to its page. */
function attribution(words: string): IControl {
  const line = document.createElement('p');
  line.className = 'maplibregl-ctrl attribution';
  const link = /openstreetmap/i.test(words) && { href: OSM_LICENSE, target: '_blank', rel: 'noopener noreferrer' };
  line.append(Object.assign(document.createElement(link ? 'a' : 'span'), link, { textContent: words }));
  return { onAdd: () => line, onRemove: () => line.remove(), getDefaultPosition: () => 'bottom-right' };
}

const SHAPES = {
  store: '<path d="M4 10v9h16v-9M3 10l2-5h14l2 5M9 19v-5h6v5"/>',
  door: '<path d="M3 11l9-7 9 7M6 9v10h12V9"/>',
  driver: '<path class="arrow" d="M12 3l6 17-6-4-6 4z"/>',
};
/** Milliseconds of the animation between two driver positions. */
const GLIDE_MS = 1000;

/** Pins of the store, the address and the driver. `isGentle`: whether pins may be animated. */
function createPins(map: MapLibre, first: MapView, isGentle: boolean) {
  const put = (kind: keyof typeof SHAPES, place: MapPoint) =>
    new Marker({ element: pinOf(kind) }).setLngLat(lngLatOf(place)).addTo(map);
  put('store', first.store);
  if (first.door) put('door', first.door);
  const driver = put('driver', first.driver);
  let gliding = 0;

  function glide(to: MapPoint): void {
    const { lng, lat } = driver.getLngLat();
    const startMs = performance.now();
    const step = (nowMs: number) => {
      const part = isGentle ? Math.min((nowMs - startMs) / GLIDE_MS, 1) : 1;
      driver.setLngLat([lng + (to[1] - lng) * part, lat + (to[0] - lat) * part]);
      if (part < 1) gliding = requestAnimationFrame(step);
    };
    cancelAnimationFrame(gliding);
    step(startMs);
  }

  return {
    move({ driver: to, course }: MapView): void {
      glide(to);
      const arrow = driver.getElement().querySelector('svg');
      if (arrow) arrow.style.transform = course === null ? '' : `rotate(${course}deg)`;
    },
  };
}

function lngLatOf([latitude, longitude]: MapPoint): LngLatLike & [number, number] {
  return [longitude, latitude];
}

function pinOf(kind: keyof typeof SHAPES, pin: HTMLElement = document.createElement('div')): HTMLElement {
  pin.className = `pin pin-${kind}`;
  pin.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${SHAPES[kind]}</svg>`;
  return pin;
}

/** Layers that need pictures, which would be files of another host. */
const PICTURE_LAYERS = ['roads_oneway', 'roads_shields', 'pois'];

/** Inverts raster tiles in dark mode: black on white becomes light on dark, and hues stay. */
const INVERTED_RASTER_PAINT = {
  'raster-brightness-min': 0.9,
  'raster-brightness-max': 0.08,
  'raster-hue-rotate': 180,
} as const;

/** The map style: the tiles, and the line from the driver to the next stop. */
function styleOf(tiles: MapTiles, isDark: boolean, way: readonly MapPoint[]): StyleSpecification {
  return {
    version: 8,
    sources: { tiles: tiles.source, way: { type: 'geojson', data: lineOf(way) } },
    layers: [...(tiles.kind === 'vector' ? streetLayers(isDark) : [pictureLayer(isDark)]), wayLayer()],
  };
}

/** A line through the points. */
function lineOf(way: readonly MapPoint[]) {
  const coordinates = way.map(([latitude, longitude]) => [longitude, latitude]);
  return { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } } as const;
}

/** Colors of street names, which in the dark theme have too little contrast for a phone in the sun. */
const LABEL_COLORS = { roads_label_minor: '#a0a0a0', roads_label_major: '#b8b8b8' };

/** Labels use the device's fonts, so the style has no `glyphs`. */
function streetLayers(isDark: boolean): LayerSpecification[] {
  const flavor = isDark ? { ...namedFlavor('dark'), ...LABEL_COLORS } : namedFlavor('light');
  const drawn = layers('tiles', flavor, { lang: 'en' }).filter(({ id }) => !PICTURE_LAYERS.includes(id));
  return drawn.map((layer) => {
    if (layer.type !== 'symbol') return layer;
    const { 'icon-image': _, ...layout } = layer.layout ?? {};
    return { ...layer, layout };
  });
}

function pictureLayer(isDark: boolean): LayerSpecification {
  return { id: 'tiles', type: 'raster', source: 'tiles', paint: isDark ? INVERTED_RASTER_PAINT : {} };
}

function wayLayer(): LayerSpecification {
  const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
  return {
    id: 'way',
    type: 'line',
    source: 'way',
    layout: { 'line-cap': 'round' },
    paint: { 'line-color': accent, 'line-width': 4, 'line-dasharray': [0.1, 2] },
  };
}

type MapTiles = {
  kind: 'vector' | 'raster';
  source: SourceSpecification;
  /** Attribution of the tiles as plain text; empty if they have none. */
  attribution: string;
  /** Whether there are tiles for a place. */
  cover(place: MapPoint): boolean;
};

const MAX_ATTRIBUTION_LENGTH = 200;
const OSM = '© OpenStreetMap contributors';
const OSM_LICENSE = 'https://www.openstreetmap.org/copyright';
/** Subdomains of a template's `{s}`, which are servers of one host. */
const SERVERS = ['a', 'b', 'c'];

function templateTiles(url: string): MapTiles {
  const tiles = url.includes('{s}') ? SERVERS.map((server) => url.replace('{s}', server)) : [url];
  return {
    kind: 'raster',
    source: { type: 'raster', tiles, tileSize: 256, maxzoom: 19 },
    attribution: /openstreetmap|osm/i.test(url) ? OSM : '',
    cover: () => true,
  };
}

/** Reads the header and the metadata of an archive. Throws if there is none. */
async function archiveTiles(url: string): Promise<MapTiles> {
  const archive = new PMTiles(url);
  const header = await archive.getHeader();
  const area = new LngLatBounds([header.minLon, header.minLat, header.maxLon, header.maxLat]);
  const metadata: unknown = await archive.getMetadata();
  const protocol = new Protocol();
  protocol.add(archive);
  addProtocol('pmtiles', protocol.tile);
  const source = `pmtiles://${url}`;
  const isVector = header.tileType === TileType.Mvt;
  return {
    kind: isVector ? 'vector' : 'raster',
    source: isVector ? { type: 'vector', url: source } : { type: 'raster', url: source, tileSize: 256 },
    attribution: readAttribution(metadata),
    cover: (place) => area.contains(lngLatOf(place)),
  };
}

/** The archive's own attribution. It may be markup, but only the text is kept. */
function readAttribution(metadata: unknown): string {
  if (typeof metadata !== 'object' || metadata === null || !('attribution' in metadata)) return '';
  const { body } = new DOMParser().parseFromString(String(metadata.attribution), 'text/html');
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, MAX_ATTRIBUTION_LENGTH);
}

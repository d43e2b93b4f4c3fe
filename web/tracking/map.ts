import {
  GeoJSONSource,
  type IControl,
  LngLatBounds,
  Map as MapLibre,
  NavigationControl,
  setWorkerUrl,
} from 'maplibre-gl';
import type { MapFiles, MapView } from '../../src/tracking/map-view.ts';
import { createPins, lngLatOf } from './map-pins.ts';
import { lineOf, styleOf } from './map-style.ts';
import { readTiles } from './map-tiles.ts';

/** Room for the pins, the buttons on the right and the line of the attribution. */
const FIT = { padding: { top: 26, bottom: 42, left: 30, right: 62 }, maxZoom: 16 };
/** Nearer the edge than this part of the map, the driver is nearly out of sight. */
const EDGE_PART = 0.08;

/**
 * A map with streets in the element, over the sketch. The sketch stays in sight until the map is drawn, and where it cannot
 * be: throws without WebGL, without an archive, and for places that the archive does not have.
 */
export async function createMap(element: HTMLElement, files: Pick<MapFiles, 'worker' | 'tiles'>, first: MapView) {
  setWorkerUrl(new URL(files.worker, location.href).href);
  const tiles = await readTiles(files.tiles);
  if (!placesOf(first).every(tiles.cover)) throw new Error('The tiles are of another part of the world.');
  const isGentle = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let shown = first;
  const style = () => styleOf(tiles, dark.matches, shown.way);
  const map = new MapLibre({
    ...{
      container: element,
      style: style(),
      bounds: boundsOf(first),
      fitBoundsOptions: FIT,
      attributionControl: false,
    },
    // One finger scrolls the page, two move the map.
    ...{ cooperativeGestures: true, dragRotate: false, pitchWithRotate: false, touchPitch: false, rollEnabled: false },
    ...{ maxZoom: 19, fadeDuration: isGentle ? 300 : 0 },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }));
  if (tiles.attribution) map.addControl(attribution(tiles.attribution));
  // A tile that fails leaves a gap.
  map.on('error', () => {});
  coverSketch(map, element);
  dark.addEventListener('change', () => map.setStyle(style()));

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

/** The map takes the place of the sketch once it is drawn; the sketch is back while the device takes WebGL away. */
function coverSketch(map: MapLibre, element: HTMLElement): void {
  const cover = (isDrawn: boolean) => element.parentElement?.classList.toggle('has-map', isDrawn);
  map.once('load', () => cover(true));
  map.on('webglcontextlost', () => cover(false));
  map.on('webglcontextrestored', () => cover(true));
}

/** Keeps the driver in sight until the reader moves the map. */
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
    if (!isTaken && !isInSight) map.fitBounds(boundsOf(view), { ...FIT, animate: isGentle });
  };
}

function placesOf({ store, door, driver }: MapView) {
  return [store, driver, ...(door ? [door] : [])];
}

function boundsOf(view: MapView): LngLatBounds {
  const bounds = new LngLatBounds();
  for (const place of placesOf(view)) bounds.extend(lngLatOf(place));
  return bounds;
}

/** Whom the tiles are from. OpenStreetMap's licence asks for a link to its page. */
function attribution(words: string): IControl {
  const line = document.createElement('p');
  line.className = 'maplibregl-ctrl attribution';
  const text = /openstreetmap/i.test(words) ? document.createElement('a') : document.createElement('span');
  if (text instanceof HTMLAnchorElement) {
    text.href = 'https://www.openstreetmap.org/copyright';
    text.target = '_blank';
    text.rel = 'noopener noreferrer';
  }
  text.textContent = words;
  line.append(text);
  return { onAdd: () => line, onRemove: () => line.remove(), getDefaultPosition: () => 'bottom-right' };
}

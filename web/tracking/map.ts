import { map as createLeaflet, divIcon, type LatLngTuple, latLngBounds, marker, polyline, tileLayer } from 'leaflet';
import type { MapPoint, MapView } from '../../src/tracking/map-view.ts';

const CLOSEST_ZOOM = 17;
/** Whole steps would leave the places small in the middle. */
const ZOOM_STEP = 0.25;
const PADDING: [number, number] = [32, 32];

const ABOVE_OTHERS = 1000;

/** A map that its visitor cannot move; it takes no focus. */
const STILL = {
  zoomControl: false,
  dragging: false,
  touchZoom: false,
  doubleClickZoom: false,
  boxZoom: false,
  keyboard: false,
} as const;

const icon = (kind: string, size: number, shape: string) =>
  divIcon({
    className: `pin pin-${kind}`,
    iconSize: [size, size],
    html: `<svg viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`,
  });
const STORE = icon('store', 34, '<path d="M4 10v9h16v-9M3 10l2-5h14l2 5M9 19v-5h6v5"/>');
const DOOR = icon('door', 34, '<path d="M3 11l9-7 9 7M6 9v10h12V9"/>');
const DRIVER = icon('driver', 40, '<path class="arrow" d="M12 3l6 17-6-4-6 4z"/>');

/**
 * A map in the element: the store, the door, and the driver as they move. Without tiles it is a sketch of directions on a
 * plain ground: there is nothing to see nearer, so it neither zooms nor moves.
 */
export function createMap(element: HTMLElement, tiles: string) {
  const gentle = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const isSketch = tiles === '';
  const map = createLeaflet(element, {
    ...(isSketch ? STILL : {}),
    attributionControl: !isSketch,
    zoomAnimation: gentle,
    fadeAnimation: gentle,
    markerZoomAnimation: gentle,
    scrollWheelZoom: false,
    zoomSnap: ZOOM_STEP,
  });
  if (tiles) tileLayer(tiles, { maxZoom: 19, attribution: attributionOf(tiles) }).addTo(map);
  map.attributionControl?.setPrefix(false);
  const put = (place: LatLngTuple, which: typeof STORE, zIndexOffset = 0) =>
    marker(place, { icon: which, interactive: false, keyboard: false, zIndexOffset }).addTo(map);
  let pins: { driver: ReturnType<typeof put>; way: ReturnType<typeof polyline> } | undefined;
  let hasMoved = false;
  map.on('dragstart', () => {
    hasMoved = true;
  });

  function show(view: MapView): void {
    const [driver, store] = [at(view.driver), at(view.store)];
    const door = view.door && at(view.door);
    const places = [driver, store, ...(door ? [door] : [])];
    if (!pins) {
      map.fitBounds(latLngBounds(places), { padding: PADDING, maxZoom: CLOSEST_ZOOM });
      const way = polyline([], { className: 'way', interactive: false }).addTo(map);
      put(store, STORE);
      if (door) put(door, DOOR);
      pins = { driver: put(driver, DRIVER, ABOVE_OTHERS), way };
    }
    pins.driver.setLatLng(driver);
    pins.way.setLatLngs(view.way.map(at));
    turn(pins.driver.getElement(), view.course);
    if (!hasMoved && !map.getBounds().pad(-0.05).contains(driver)) {
      map.fitBounds(latLngBounds(places), { padding: PADDING, maxZoom: CLOSEST_ZOOM });
    }
  }

  // Hide an empty map and never remove it: Leaflet's animations outlive its maps.
  return { show };
}

function at([latitude, longitude]: MapPoint): LatLngTuple {
  return [latitude, longitude];
}

function turn(pin: HTMLElement | undefined, course: number | null): void {
  const arrow = pin?.querySelector('svg');
  if (arrow) arrow.style.transform = course === null ? '' : `rotate(${course}deg)`;
}

/** The attribution that the licence of OpenStreetMap's tiles asks for. */
function attributionOf(tiles: string): string {
  return /openstreetmap|osm/i.test(tiles) ? '© OpenStreetMap contributors' : '';
}

import { type LngLatLike, type Map as MapLibre, Marker } from 'maplibre-gl';
import type { MapPoint, MapView } from '../../src/tracking/map-view.ts';

const SHAPES = {
  store: '<path d="M4 10v9h16v-9M3 10l2-5h14l2 5M9 19v-5h6v5"/>',
  door: '<path d="M3 11l9-7 9 7M6 9v10h12V9"/>',
  driver: '<path class="arrow" d="M12 3l6 17-6-4-6 4z"/>',
};
/** A driver comes to a new position in this time, not at once. */
const GLIDE_MS = 1000;

/** The pins of the store, the door and the driver. `isGentle`: pins may move by themselves. */
export function createPins(map: MapLibre, first: MapView, isGentle: boolean) {
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
    step(isGentle ? startMs : startMs + GLIDE_MS);
  }

  return {
    move({ driver: to, course }: MapView): void {
      glide(to);
      const arrow = driver.getElement().querySelector('svg');
      if (arrow) arrow.style.transform = course === null ? '' : `rotate(${course}deg)`;
    },
  };
}

export function lngLatOf([latitude, longitude]: MapPoint): LngLatLike & [number, number] {
  return [longitude, latitude];
}

function pinOf(kind: keyof typeof SHAPES): HTMLElement {
  const pin = document.createElement('div');
  pin.className = `pin pin-${kind}`;
  pin.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${SHAPES[kind]}</svg>`;
  return pin;
}

import type { MapFiles, MapView, StorePin } from '../../src/fulfillment/deliveries/street-map.ts';

/** The street map in a page's element `map`. */
export type LiveMap = { show(map: MapView): void };

/** Loads the map's code and styles once there is something to show on it. */
export async function loadMap(files: MapFiles, first: MapView): Promise<LiveMap> {
  const element = document.getElementById('map');
  if (!element) throw new Error('There is no place for a map.');
  return (await loadCode(files)).createMap(element, files, first);
}

/** Shows stores on a map in the element; the returned function removes it. */
export async function loadStoreMap(
  files: MapFiles,
  element: HTMLElement,
  stores: readonly StorePin[],
): Promise<() => void> {
  return (await loadCode(files)).createStoreMap(element, files, stores);
}

async function loadCode({ script, style }: MapFiles) {
  const [module] = await Promise.all([import(script), loadStyle(style)]);
  return module;
}

function loadStyle(href: string): Promise<void> {
  return new Promise((done, fail) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => done();
    link.onerror = () => fail(new Error('The styles of the map did not load.'));
    document.head.append(link);
  });
}

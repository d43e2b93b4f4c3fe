import type { MapFiles, MapView } from '../../src/fulfillment/deliveries/street-map.ts';

/** The street map in a page's element `map`. */
export type LiveMap = { show(map: MapView): void };

/** Loads the map's code and styles once there is something to show on it. */
export async function loadMap({ style, ...files }: MapFiles, first: MapView): Promise<LiveMap> {
  const element = document.getElementById('map');
  if (!element) throw new Error('There is no place for a map.');
  const [module] = await Promise.all([import(files.script), loadStyle(style)]);
  return module.createMap(element, files, first);
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

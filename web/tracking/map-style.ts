import { layers, namedFlavor } from '@protomaps/basemaps';
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import type { MapPoint } from '../../src/tracking/map-view.ts';
import type { MapTiles } from './map-tiles.ts';

/** Layers whose meaning is in their pictures; pictures would be files of another host. */
const PICTURES = ['roads_oneway', 'roads_shields', 'pois'];

/** In the dark raster tiles are inverted: black on white becomes light on dark, and the hues stay. */
const INVERTED = { 'raster-brightness-min': 0.9, 'raster-brightness-max': 0.08, 'raster-hue-rotate': 180 } as const;

/** The map's look: the tiles, and the line from the driver to where the driver goes next. */
export function styleOf(tiles: MapTiles, isDark: boolean, way: readonly MapPoint[]): StyleSpecification {
  return {
    version: 8,
    sources: { tiles: tiles.source, way: { type: 'geojson', data: lineOf(way) } },
    layers: [...(tiles.kind === 'vector' ? streetLayers(isDark) : pictureLayers(isDark)), wayLayer()],
  };
}

/** A line through the points. */
export function lineOf(way: readonly MapPoint[]) {
  const coordinates = way.map(([latitude, longitude]) => [longitude, latitude]);
  return { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } } as const;
}

/** The names of streets in the dark flavour have too little contrast for a phone in the sun. */
const READABLE = { roads_label_minor: '#a0a0a0', roads_label_major: '#b8b8b8' };

/** Labels are drawn with the fonts of the device: the style names no `glyphs`. */
function streetLayers(isDark: boolean): LayerSpecification[] {
  const flavor = isDark ? { ...namedFlavor('dark'), ...READABLE } : namedFlavor('light');
  const drawn = layers('tiles', flavor, { lang: 'en' }).filter(({ id }) => !PICTURES.includes(id));
  return drawn.map((layer) => {
    if (layer.type !== 'symbol') return layer;
    const { 'icon-image': _, ...layout } = layer.layout ?? {};
    return { ...layer, layout };
  });
}

function pictureLayers(isDark: boolean): LayerSpecification[] {
  return [{ id: 'tiles', type: 'raster', source: 'tiles', paint: isDark ? INVERTED : {} }];
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

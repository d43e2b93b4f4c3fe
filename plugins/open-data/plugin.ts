import { checkReadable, definePlugin, PLUGIN_API, VERSION } from 'doorstep/plugin';

/** OpenStreetMap and Overture Maps: formats of imports, and the directory of places of a file. */
export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'open-data',
  prefix: 'places',
  settings: { file: { expected: 'a file', optional: true } },
  directories: [
    {
      name: 'local',
      needs: 'file',
      openTimeoutMs: 3_600_000,
      async open({ settings: { file }, role, clock, log, reportLeftOut = () => {} }) {
        const { openPlacesFile } = await import('./places-file.ts');
        // A worker node answers no place search, so it reads no file.
        return openPlacesFile({ file: role === 'worker' ? undefined : file, now: clock.now(), log, reportLeftOut });
      },
    },
  ],
  formats: [
    {
      name: 'osm',
      help: 'OpenStreetMap as GeoJSON: restaurants and food shops, without menus',
      namedBy: /\.(geojson|geojsonl|geojsons)$/i,
      open: async () => (await import('./place-formats.flow.ts')).osm,
    },
    {
      name: 'overture',
      help: 'Overture Maps places as GeoParquet (.parquet) or GeoJSON, without menus',
      namedBy: /\.(geojson|geojsonl|geojsons|parquet|geoparquet)$/i,
      open: async () => (await import('./place-formats.flow.ts')).overture,
    },
  ],
  check: {
    setting: 'file',
    ask: async ({ settings: { file } }) => (file === undefined ? undefined : checkReadable(file)),
  },
});

import { OWN } from '../../../plugins/own.ts';
import { definePlugin, PLUGIN_API, type Plugin, VERSION } from './plugin.ts';

/*
 * The adapters of this service that settings and stores choose by name. A service loads the code of those it uses: the
 * packages of Stripe and of mail take 0.1 s and 3 MB each.
 */

const feeds = definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'feeds',
  formats: [
    {
      name: 'ndjson',
      help: 'newline-delimited JSON of stores with their catalogs (docs/feeds.md)',
      open: async () => (await import('../../supply/imports/import-files.flow.ts')).ndjson,
    },
  ],
});

/** Each adds its entries to the lists of plugin.ts, in this order. */
export const OWN_PLUGINS: readonly Plugin[] = [feeds, ...OWN];

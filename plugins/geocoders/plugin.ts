import { definePlugin, PLUGIN_API, pacedGeocoder, VERSION } from 'doorstep/plugin';

export const census = definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'census',
  geocoders: [
    {
      name: 'census',
      async open({ partyUrls }) {
        const { createCensusGeocoder } = await import('./census.ts');
        return pacedGeocoder(createCensusGeocoder(partyUrls), '');
      },
    },
  ],
});

export const nominatim = definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'nominatim',
  geocoders: [
    {
      name: 'nominatim',
      takesUrl: true,
      async open({ url: baseUrl = '' }) {
        const { createNominatimGeocoder } = await import('./nominatim.ts');
        return pacedGeocoder(createNominatimGeocoder({ baseUrl }), baseUrl);
      },
    },
  ],
});

export const photon = definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'photon',
  geocoders: [
    {
      name: 'photon',
      takesUrl: true,
      async open({ url: baseUrl = '' }) {
        const { createPhotonGeocoder } = await import('./photon.ts');
        return pacedGeocoder(createPhotonGeocoder({ baseUrl }), baseUrl);
      },
    },
  ],
});

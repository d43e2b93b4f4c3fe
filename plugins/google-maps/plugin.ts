import { definePlugin, headerText, PLUGIN_API, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'google',
  settings: { placesApiKey: { expected: 'a key', parse: headerText } },
  directories: [
    {
      name: 'google',
      async open({
        settings: { placesApiKey: apiKey },
        log,
        reportLeftOut = () => {},
        partyUrls: { placesUrl: baseUrl },
      }) {
        const { createGooglePlaces } = await import('./places.ts');
        return createGooglePlaces({ apiKey, log, reportLeftOut, ...(baseUrl === undefined ? {} : { baseUrl }) });
      },
    },
  ],
  geocoders: [
    {
      name: 'google',
      async open({ settings: { placesApiKey: apiKey }, log, partyUrls }) {
        const { createGoogleGeocoder } = await import('./geocoder.ts');
        return createGoogleGeocoder({ apiKey, log, ...partyUrls });
      },
    },
  ],
});

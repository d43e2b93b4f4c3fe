import manifest from '../../../package.json' with { type: 'json' };
import { headerText } from '../../platform/lib/parse-setting.ts';
import { definePlugin, PLUGIN_API, type Plugin } from './plugin.ts';

/*
 * The adapters of this service that settings and stores choose by name. A service loads the code of those it uses: the
 * packages of Stripe and of mail take 0.1 s and 3 MB each.
 */

const OWN = { version: manifest.version, api: PLUGIN_API } as const;

const stripe = definePlugin({
  ...OWN,
  name: 'stripe',
  settings: {
    secretKey: {
      expected:
        'a secret key (sk_live_…, sk_test_…) or a restricted key (rk_live_…, rk_test_…) from the Stripe dashboard',
      // Publishable keys (`pk_`) and webhook secrets (`whsec_`) cannot charge.
      parse: (text) => (/^[sr]k_(live|test)_\w+$/.test(text) ? text : undefined),
    },
    /** Without it every webhook is refused. */
    webhookSecret: { expected: 'a signing secret', parse: headerText, optional: 'alone' },
  },
  gateways: [
    {
      name: 'stripe',
      async open({ settings: { secretKey, webhookSecret }, baseUrl, partyUrls }) {
        const [{ createStripeGateway }, { createStripeNotices }] = await Promise.all([
          import('./payments/stripe.ts'),
          import('./payments/stripe-notices.ts'),
        ]);
        return {
          gateway: createStripeGateway({ secretKey, pagesUrl: baseUrl, ...partyUrls }),
          notices: webhookSecret === undefined ? undefined : createStripeNotices(webhookSecret),
        };
      },
    },
  ],
  taxes: [
    {
      name: 'stripe',
      async open({ settings: { secretKey }, partyUrls }) {
        const { createStripeTaxes } = await import('./payments/stripe-taxes.ts');
        return createStripeTaxes({ secretKey, ...partyUrls });
      },
    },
  ],
  check: {
    setting: 'secretKey',
    async ask({ settings: { secretKey }, partyUrls }) {
      const { readParty } = await import('./party-questions.ts');
      const headers = { authorization: `Bearer ${secretKey}` };
      // 403: a restricted key without the permission to read the balance is valid.
      return readParty(`${partyUrls.baseUrl ?? 'https://api.stripe.com'}/v1/balance`, { headers }, [200, 403]);
    },
  },
});

const uberDirect = definePlugin({
  ...OWN,
  name: 'uber_direct',
  settings: {
    clientId: { expected: 'a client ID' },
    clientSecret: { expected: 'its secret' },
    webhookSecret: { expected: "the webhook's signing key" },
    /** Only accounts with organizations need it. */
    customerId: { expected: 'a customer ID', optional: true },
  },
  couriers: [
    {
      name: 'uber_direct',
      async open({ settings, clock, partyUrls }) {
        const { createUberDirect } = await import('./couriers/uber-direct/gateway.ts');
        return createUberDirect({ ...settings, clock, ...partyUrls });
      },
    },
  ],
});

const doordashDrive = definePlugin({
  ...OWN,
  name: 'doordash_drive',
  settings: {
    developerId: { expected: 'the developer ID of an access key' },
    keyId: { expected: 'its key ID' },
    signingSecret: { expected: 'its signing secret' },
    webhookAuthorization: { expected: "the webhook's Authorization header" },
  },
  couriers: [
    {
      name: 'doordash_drive',
      async open({ settings, clock, partyUrls }) {
        const { createDoorDashDrive } = await import('./couriers/doordash-drive/gateway.ts');
        return createDoorDashDrive({ ...settings, clock, ...partyUrls });
      },
    },
  ],
});

const google = definePlugin({
  ...OWN,
  name: 'google',
  settings: { placesApiKey: { expected: 'a key', parse: headerText } },
  geocoders: [
    {
      name: 'google',
      async open({ settings: { placesApiKey: apiKey }, log, partyUrls }) {
        const { createGoogleGeocoder } = await import('./geocoding/google.ts');
        return createGoogleGeocoder({ apiKey, log, ...partyUrls });
      },
    },
  ],
});

const census = definePlugin({
  ...OWN,
  name: 'census',
  geocoders: [
    {
      name: 'census',
      async open({ partyUrls }) {
        const [{ createCensusGeocoder }, paced] = await importPaced(import('./geocoding/census.ts'));
        return paced(createCensusGeocoder(partyUrls), '');
      },
    },
  ],
});

const nominatim = definePlugin({
  ...OWN,
  name: 'nominatim',
  geocoders: [
    {
      name: 'nominatim',
      takesUrl: true,
      async open({ url: baseUrl = '' }) {
        const [{ createNominatimGeocoder }, paced] = await importPaced(import('./geocoding/nominatim.ts'));
        return paced(createNominatimGeocoder({ baseUrl }), baseUrl);
      },
    },
  ],
});

const photon = definePlugin({
  ...OWN,
  name: 'photon',
  geocoders: [
    {
      name: 'photon',
      takesUrl: true,
      async open({ url: baseUrl = '' }) {
        const [{ createPhotonGeocoder }, paced] = await importPaced(import('./geocoding/photon.ts'));
        return paced(createPhotonGeocoder({ baseUrl }), baseUrl);
      },
    },
  ],
});

async function importPaced<Module>(module: Promise<Module>) {
  const { pacedGeocoder } = await import('./geocoding/geocoder-call.ts');
  return [await module, pacedGeocoder] as const;
}

const smtp = definePlugin({
  ...OWN,
  name: 'smtp',
  settings: {
    url: {
      expected: 'an smtp:// or smtps:// URL',
      parse: (text) => (/^smtps?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
    },
  },
  mailers: [
    {
      name: 'smtp',
      async open({ settings: { url } }) {
        const { createSmtpMailer } = await import('./smtp.ts');
        return createSmtpMailer({ url });
      },
    },
  ],
  check: {
    setting: 'url',
    async ask({ settings: { url } }) {
      const { greetMailServer } = await import('./smtp.ts');
      return greetMailServer(url);
    },
  },
});

const twilio = definePlugin({
  ...OWN,
  name: 'twilio',
  settings: {
    accountSid: { expected: 'the SID of an account' },
    authToken: { expected: 'its token' },
    from: { expected: 'a number, a sender name or the MG… of a messaging service' },
  },
  sms: [
    {
      name: 'twilio',
      async open({ settings, partyUrls }) {
        const { createTwilioReplies, createTwilioSmsSender } = await import('./twilio.ts');
        return { sender: createTwilioSmsSender({ ...settings, ...partyUrls }), replies: createTwilioReplies(settings) };
      },
    },
  ],
  check: {
    setting: 'authToken',
    async ask({ settings: { accountSid, authToken }, partyUrls }) {
      const { readParty } = await import('./party-questions.ts');
      const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
      const url = `${partyUrls.baseUrl ?? 'https://api.twilio.com'}/2010-04-01/Accounts/${accountSid}.json`;
      return readParty(url, { headers: { authorization } });
    },
  },
});

const escpos = definePlugin({
  ...OWN,
  name: 'escpos',
  printers: [
    {
      name: 'escpos',
      async open() {
        const { createTcpPrinter } = await import('./tcp-printer.ts');
        return createTcpPrinter();
      },
    },
  ],
});

/** The formats of `doorstep import`, in the sequence of its help. */
const feeds = definePlugin({
  ...OWN,
  name: 'feeds',
  formats: [
    {
      name: 'ndjson',
      help: 'newline-delimited JSON of stores with their catalogs (docs/feeds.md)',
      open: async () => (await import('../../supply/imports/import-files.flow.ts')).ndjson,
    },
    {
      name: 'osm',
      help: 'OpenStreetMap as GeoJSON: restaurants and food shops, without menus',
      namedBy: /\.(geojson|geojsonl|geojsons)$/i,
      open: async () => (await import('../../supply/imports/open-data/place-formats.flow.ts')).osm,
    },
    {
      name: 'overture',
      help: 'Overture Maps places as GeoParquet (.parquet) or GeoJSON, without menus',
      namedBy: /\.(geojson|geojsonl|geojsons|parquet|geoparquet)$/i,
      open: async () => (await import('../../supply/imports/open-data/place-formats.flow.ts')).overture,
    },
    {
      name: 'google-food',
      help: "Google's food ordering feed, all its files together, with menus",
      open: async () => (await import('../../supply/imports/google-food/open-google-food.flow.ts')).googleFood,
    },
    {
      name: 'schema-org',
      help: "pages or JSON-LD of a store's own schema.org menu",
      namedBy: /\.(html?|jsonld)$/i,
      open: async () => (await import('../../supply/imports/schema-org/open-schema-org.flow.ts')).schemaOrg,
    },
  ],
});

/** Each adds its entries to the lists of plugin.ts, in this sequence. */
export const OWN_PLUGINS: readonly Plugin[] = [
  stripe,
  uberDirect,
  doordashDrive,
  google,
  census,
  nominatim,
  photon,
  smtp,
  twilio,
  escpos,
  feeds,
];

import { definePlugin, PLUGIN_API, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
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
        const { createUberDirect } = await import('./gateway.ts');
        return createUberDirect({ ...settings, clock, ...partyUrls });
      },
    },
  ],
});

import { definePlugin, PLUGIN_API, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
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
        const { createDoorDashDrive } = await import('./gateway.ts');
        return createDoorDashDrive({ ...settings, clock, ...partyUrls });
      },
    },
  ],
});

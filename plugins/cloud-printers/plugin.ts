import { definePlugin, PLUGIN_API, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'cloud-printers',
  routes: [
    {
      name: 'cloudprnt',
      printer: true,
      open: async ({ tickets }) => (await import('./cloudprnt.ts')).cloudPrntRoutes(tickets),
    },
    { name: 'epson', printer: true, open: async ({ tickets }) => (await import('./epson.ts')).epsonRoutes(tickets) },
  ],
});

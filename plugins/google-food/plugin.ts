import { definePlugin, PLUGIN_API, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'google-food',
  formats: [
    {
      name: 'google-food',
      help: "Google's food ordering feed, all its files together, with menus",
      open: async () => (await import('./open-google-food.flow.ts')).googleFood,
    },
  ],
});

import { definePlugin, PLUGIN_API, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'schema-org',
  formats: [
    {
      name: 'schema-org',
      help: "pages or JSON-LD of a store's own schema.org menu",
      namedBy: /\.(html?|jsonld)$/i,
      open: async () => (await import('./open-schema-org.flow.ts')).schemaOrg,
    },
  ],
});

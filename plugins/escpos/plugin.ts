import { definePlugin, PLUGIN_API, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
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

import { OWN } from '../../../plugins/own.ts';
import { definePlugin, PLUGIN_API, type Plugin, VERSION } from './plugin.ts';

/*
 * The adapters of this service that settings and stores choose by name. A service loads the code of those it uses: the
 * packages of Stripe and of mail take 0.1 s and 3 MB each.
 */

const BUILT_IN = { version: VERSION, api: PLUGIN_API } as const;

const smtp = definePlugin({
  ...BUILT_IN,
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
      byDefault: true,
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

const escpos = definePlugin({
  ...BUILT_IN,
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

const feeds = definePlugin({
  ...BUILT_IN,
  name: 'feeds',
  formats: [
    {
      name: 'ndjson',
      help: 'newline-delimited JSON of stores with their catalogs (docs/feeds.md)',
      open: async () => (await import('../../supply/imports/import-files.flow.ts')).ndjson,
    },
  ],
});

/** Each adds its entries to the lists of plugin.ts, in this sequence. */
export const OWN_PLUGINS: readonly Plugin[] = [smtp, escpos, feeds, ...OWN];

import { definePlugin, PLUGIN_API, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
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

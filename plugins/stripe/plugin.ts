import { definePlugin, headerText, PLUGIN_API, readParty, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
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
      byDefault: true,
      async open({ settings: { secretKey, webhookSecret }, baseUrl, partyUrls }) {
        const [{ createStripeGateway }, { createStripeNotices }] = await Promise.all([
          import('./gateway.ts'),
          import('./notices.ts'),
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
        const { createStripeTaxes } = await import('./taxes.ts');
        return createStripeTaxes({ secretKey, ...partyUrls });
      },
    },
  ],
  check: {
    setting: 'secretKey',
    async ask({ settings: { secretKey }, partyUrls }) {
      const headers = { authorization: `Bearer ${secretKey}` };
      // 403: a restricted key without the permission to read the balance is valid.
      return readParty(`${partyUrls.baseUrl ?? 'https://api.stripe.com'}/v1/balance`, { headers }, [200, 403]);
    },
  },
});

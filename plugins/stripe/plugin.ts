import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, definePlugin, headerText, PLUGIN_API, readParty, VERSION, type Wallets } from 'doorstep/plugin';

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
    /** With it, the hosted checkout offers wallets. */
    publishableKey: {
      expected: 'a publishable key (pk_live_…, pk_test_…) from the Stripe dashboard',
      parse: (text) => (/^pk_(live|test)_\w+$/.test(text) ? text : undefined),
      optional: 'alone',
    },
    appleDomainFile: { expected: 'a file', optional: 'alone' },
  },
  gateways: [
    {
      name: 'stripe',
      byDefault: true,
      async open({ settings: { secretKey, webhookSecret, ...settings }, baseUrl, partyUrls }) {
        const [{ createStripeGateway }, { createStripeNotices }] = await Promise.all([
          import('./gateway.ts'),
          import('./notices.ts'),
        ]);
        const wallets = await walletsOf(settings);
        return {
          gateway: createStripeGateway({ secretKey, pagesUrl: baseUrl, wallets, ...partyUrls }),
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

type WalletSettings = { publishableKey?: string | undefined; appleDomainFile?: string | undefined };

async function walletsOf({ publishableKey, appleDomainFile }: WalletSettings): Promise<Wallets | undefined> {
  if (publishableKey === undefined) return undefined;
  return {
    script: join(import.meta.dirname, 'browser/wallet-button.ts'),
    publicKey: publishableKey,
    sources: {
      'script-src': ['https://js.stripe.com'],
      'frame-src': ['https://js.stripe.com', 'https://hooks.stripe.com'],
      'connect-src': ['https://api.stripe.com'],
    },
    appleDomainFile: appleDomainFile === undefined ? undefined : await readDomainFile(appleDomainFile),
  };
}

async function readDomainFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new ConfigError([`STRIPE_APPLE_DOMAIN_FILE cannot be read: ${path}.`]);
  }
}

import type { Gateways } from '../../ordering/payments/payment-gateway.ts';
import type { TaxCalculator } from '../../supply/pricing/tax-calculator.ts';
import { createSandboxGateway } from '../adapters/payments/sandbox.ts';
import type { Connections } from './open-connections.ts';
import type { ServiceOptions } from './service-options.ts';

/** Opens the gateway of each key mode; `gatewayDb` has the sandbox gateway's connections. */
export async function openGateways(
  options: Pick<ServiceOptions, 'config' | 'clock' | 'stripeUrl'>,
  gatewayDb: Connections['gatewayDb'],
): Promise<Gateways> {
  const { config, clock } = options;
  const sandbox = createSandboxGateway({ db: gatewayDb, clock, pagesUrl: config.baseUrl });
  return { sandbox, ...(await openLiveGateway(options)) };
}

/** Stripe's package takes 0.1 s and 3 MB to load, so it is loaded only if there is a Stripe key. */
async function openLiveGateway({
  config,
  stripeUrl,
}: Pick<ServiceOptions, 'config' | 'stripeUrl'>): Promise<Pick<Gateways, 'live' | 'notices'>> {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, baseUrl: pagesUrl } = config;
  if (!secretKey) return { live: undefined, notices: undefined };
  const [{ createStripeGateway }, { createStripeNotices }] = await Promise.all([
    import('../adapters/payments/stripe.ts'),
    import('../adapters/payments/stripe-notices.ts'),
  ]);
  return {
    live: createStripeGateway({ secretKey, pagesUrl, ...(stripeUrl === undefined ? {} : { baseUrl: stripeUrl }) }),
    notices: webhookSecret ? createStripeNotices(webhookSecret) : undefined,
  };
}

/** The service that computes the taxes of live orders; undefined where they are the store's. */
export async function openTaxes({ config, stripeUrl }: ServiceOptions): Promise<TaxCalculator | undefined> {
  const { tax, stripeSecretKey: secretKey } = config;
  if (tax !== 'stripe' || !secretKey) return undefined;
  const { createStripeTaxes } = await import('../adapters/payments/stripe-taxes.ts');
  return createStripeTaxes({ secretKey, ...(stripeUrl === undefined ? {} : { baseUrl: stripeUrl }) });
}

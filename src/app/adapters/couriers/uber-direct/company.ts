import type { CourierCompany } from '../../../../fulfillment/deliveries/couriers/courier-gateway.ts';

/**
 * Uber Direct. Its settings are an account and its webhook's signing key. Only accounts with organizations need the
 * customer ID.
 */
export const uberDirect: CourierCompany<'clientId' | 'clientSecret' | 'webhookSecret', 'customerId'> = {
  name: 'uber_direct',
  settings: {
    required: {
      clientId: 'UBER_DIRECT_CLIENT_ID',
      clientSecret: 'UBER_DIRECT_CLIENT_SECRET',
      webhookSecret: 'UBER_DIRECT_WEBHOOK_SECRET',
    },
    optional: { customerId: 'UBER_DIRECT_CUSTOMER_ID' },
  },
  async open(settings, { clock, urls }) {
    const { createUberDirect } = await import('./gateway.ts');
    return createUberDirect({ ...settings, clock, ...urls });
  },
};

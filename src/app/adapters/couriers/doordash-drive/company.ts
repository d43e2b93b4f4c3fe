import type { CourierCompany } from '../../../../fulfillment/deliveries/couriers/courier-gateway.ts';

/** DoorDash Drive. Its settings are an access key of the developer portal, and its webhook's `Authorization` header. */
export const doordashDrive: CourierCompany<'developerId' | 'keyId' | 'signingSecret' | 'webhookAuthorization'> = {
  name: 'doordash_drive',
  settings: {
    required: {
      developerId: 'DOORDASH_DRIVE_DEVELOPER_ID',
      keyId: 'DOORDASH_DRIVE_KEY_ID',
      signingSecret: 'DOORDASH_DRIVE_SIGNING_SECRET',
      webhookAuthorization: 'DOORDASH_DRIVE_WEBHOOK_AUTHORIZATION',
    },
  },
  async open(settings, { clock, urls }) {
    const { createDoorDashDrive } = await import('./gateway.ts');
    return createDoorDashDrive({ ...settings, clock, ...urls });
  },
};

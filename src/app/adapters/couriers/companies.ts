import type { CourierCompany } from '../../../fulfillment/deliveries/couriers/courier-gateway.ts';
import { doordashDrive } from './doordash-drive/company.ts';
import { uberDirect } from './uber-direct/company.ts';

/** The courier companies that stores can choose. Each has a folder beside this file and an entry here. */
export const COURIER_COMPANIES: readonly CourierCompany<string, string>[] = [uberDirect, doordashDrive];

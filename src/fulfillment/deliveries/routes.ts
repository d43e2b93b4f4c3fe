import { courierWebhookRoute } from './couriers/courier-webhook.route.ts';
import { DRIVER_ROUTES } from './driver.route.ts';
import { proofRoutes } from './proof.route.ts';

/** Couriers, drivers, and the proof of a delivery. */
export const DELIVERY_ROUTES = [courierWebhookRoute, proofRoutes, ...DRIVER_ROUTES];

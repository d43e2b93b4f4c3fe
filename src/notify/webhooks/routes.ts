import { listAccountEventsRoute, listOrderEventsRoute } from './list-events.route.ts';
import { ENDPOINT_ROUTES } from './webhook.route.ts';

/** An account's events, and the endpoints that receive them. */
export const WEBHOOK_ROUTES = [listAccountEventsRoute, listOrderEventsRoute, ...ENDPOINT_ROUTES];

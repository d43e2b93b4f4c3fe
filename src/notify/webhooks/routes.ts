import { listAccountEventsRoute, listOrderEventsRoute } from './list-events.route.ts';
import { ENDPOINT_ROUTES } from './webhook.route.ts';

/** Events of an account, and the endpoints that are called with them. */
export const WEBHOOK_ROUTES = [listAccountEventsRoute, listOrderEventsRoute, ...ENDPOINT_ROUTES];

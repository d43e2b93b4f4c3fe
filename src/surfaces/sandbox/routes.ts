import { advanceOrderRoute, simulatedDriverPhotoRoute } from './advance-order.route.ts';
import { sandboxChargesRoute } from './sandbox-charges.route.ts';
import { sandboxMessagesRoute } from './sandbox-messages.route.ts';

/** What plays the store, the courier and the gateway. */
export const SANDBOX_ROUTES = [sandboxChargesRoute, sandboxMessagesRoute, advanceOrderRoute, simulatedDriverPhotoRoute];

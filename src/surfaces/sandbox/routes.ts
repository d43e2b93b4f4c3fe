import { advanceOrderRoute, simulatedDriverPhotoRoute } from './advance-order.route.ts';
import { sandboxChargesRoute } from './sandbox-charges.route.ts';
import { sandboxMessagesRoute } from './sandbox-messages.route.ts';

/** The simulated store, courier and gateway. */
export const SANDBOX_ROUTES = [sandboxChargesRoute, sandboxMessagesRoute, advanceOrderRoute, simulatedDriverPhotoRoute];

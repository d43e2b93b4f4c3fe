import { advanceOrderOperation } from './advance-order.route.ts';
import { sandboxChargesOperation } from './sandbox-charges.route.ts';
import { sandboxMessagesOperation } from './sandbox-messages.route.ts';

/** The simulated store, courier and gateway. */
export const SANDBOX_OPERATIONS = [sandboxChargesOperation, sandboxMessagesOperation, advanceOrderOperation];

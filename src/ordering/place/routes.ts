import { finalizeOrderOperation } from './finalize-order.route.ts';
import { updateOrderOperation } from './update-order.route.ts';

/** What follows a created order. */
export const PLACING_OPERATIONS = [finalizeOrderOperation, updateOrderOperation];

import { cancelOrderOperation } from './cancel-order.route.ts';
import { raiseTipOperation } from './raise-tip.route.ts';
import { refundOrderOperation } from './refund-order.route.ts';

/** Movements of a placed order's money. */
export const MONEY_OPERATIONS = [cancelOrderOperation, refundOrderOperation, raiseTipOperation];

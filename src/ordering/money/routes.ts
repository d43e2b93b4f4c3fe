import { cancelOrderRoute } from './cancel-order.route.ts';
import { raiseTipRoute } from './raise-tip.route.ts';
import { refundOrderRoute } from './refund-order.route.ts';

/** Movements of a placed order's money. */
export const MONEY_ROUTES = [cancelOrderRoute, refundOrderRoute, raiseTipRoute];

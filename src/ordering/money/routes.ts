import { cancelOrderRoute } from './cancel-order.route.ts';
import { raiseTipRoute } from './raise-tip.route.ts';
import { refundOrderRoute } from './refund-order.route.ts';

/** What moves the money of a placed order. */
export const MONEY_ROUTES = [cancelOrderRoute, refundOrderRoute, raiseTipRoute];

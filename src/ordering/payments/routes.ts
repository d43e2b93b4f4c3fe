import { authenticationPageRoutes } from './authentication-page.route.ts';
import { CARD_SETUP_ROUTES } from './card-setup.route.ts';
import { createPaymentMethodRoute } from './create-payment-method.route.ts';

/** Cards of customers. The webhook of a gateway is registered at the path that its adapter has. */
export const PAYMENT_ROUTES = [createPaymentMethodRoute, ...CARD_SETUP_ROUTES, authenticationPageRoutes];

import { operatorPageRoutes } from './operator-page.route.ts';
import { operatorSignInRoutes } from './sign-in.route.ts';
import { waitingStreamRoute } from './waiting.route.ts';

/** The operator's view alongside its operations: pages, files, a stream. */
export const OPERATOR_ROUTES = [operatorPageRoutes, operatorSignInRoutes, waitingStreamRoute];

import type { Deps } from './deps.ts';
import type { Http } from './http.ts';
import { operationsRoutes } from './operations.route.ts';

/** Every endpoint of the service. */
export function registerRoutes(http: Http, deps: Deps): void {
  operationsRoutes(http, deps);
}

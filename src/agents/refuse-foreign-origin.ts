import { Refusal } from '../http/refusal.ts';
import { isLoopback } from '../merchants/same-site.ts';

/**
 * Refuses a message that a page of another site sends from a browser: a name that is bound anew to this machine's address
 * would make such a page a neighbour. A service whose own URL is on the loopback takes pages of the loopback. Programs
 * send no `Origin`.
 */
export function refuseForeignOrigin(origin: string | undefined, baseUrl: string): void {
  if (origin === undefined) return;
  const asking = URL.parse(origin);
  const own = new URL(baseUrl);
  const isNeighbour = asking !== null && isLoopback(own) && isLoopback(asking);
  if (asking !== null && (asking.origin === own.origin || isNeighbour)) return;
  throw new Refusal('cross_site_request', 'This endpoint takes messages from pages of its own site only.');
}

import type { AgentOrders } from '../accounts/account.ts';
import type { CustomerScope } from './customer.ts';

/* How far a customer lets an agent place orders. Beyond that, the customer places them. */

/** Cents that the consent proposes for an order, and the most that it takes. */
export const USUAL_ORDER_CENTS = 15_000;
export const MAX_AGENT_ORDER_CENTS = 100_000;
/** Orders of a user that agents place within 24 hours. */
export const MAX_PLACINGS = 10;

/** An agent's limits for placing: its scopes, an order limit in cents, and the account's permissions. */
type MayPlace = { scopes: readonly CustomerScope[]; maxOrderCents: number | null; agentOrders: AgentOrders };

/** Whether an agent may be allowed to place orders at all. */
export const mayComplete = ({ scopes, maxOrderCents, agentOrders }: MayPlace): boolean =>
  agentOrders === 'place' && maxOrderCents !== null && scopes.includes('checkout:complete');

/** Why the customer places an order, and not the agent; undefined if the agent may. */
export function handOverReason(
  agent: MayPlace,
  { totalCents, hasAlcohol }: { totalCents: number; hasAlcohol: boolean },
): 'not_allowed' | 'alcohol' | 'over_limit' | undefined {
  if (!mayComplete(agent)) return 'not_allowed';
  if (hasAlcohol) return 'alcohol';
  return totalCents > (agent.maxOrderCents ?? 0) ? 'over_limit' : undefined;
}

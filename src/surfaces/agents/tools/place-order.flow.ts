import { Type } from 'typebox';
import type { Caller } from '../../../access/accounts/account.ts';
import { dropPlacing, takePlacing } from '../../../access/customers/agent-actions.db.ts';
import { handOverReason } from '../../../access/customers/agent-placing.ts';
import type { TokenBearer } from '../../../access/customers/grants.db.ts';
import { needsIdCheck } from '../../../ordering/order/alcohol.ts';
import { checkoutLinkDeps } from '../../../ordering/order/checkout-link.ts';
import type { Order } from '../../../ordering/order/order.ts';
import type { CreateOrderDeps, OrderDeps } from '../../../ordering/order/order-deps.ts';
import { orderTotalCents } from '../../../ordering/order/order-view.ts';
import { findOrder } from '../../../ordering/order/orders.db.ts';
import { holdCents } from '../../../ordering/order/weighed-order.ts';
import { finalizeOrder } from '../../../ordering/place/place-order.flow.ts';
import { optionalWhole } from '../../../platform/http/api-components.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { withExplanation } from '../refused-answer.ts';
import { showOrder } from '../shown-order.ts';
import { type AgentCaller, defineTool, type Tool } from '../tool.ts';

/* Tool `place_order`: a quoted order is placed, or handed off where its agent may not place it. */

const input = {
  order_id: Type.String({ minLength: 1, maxLength: 64, description: 'An order_id from quote_order' }),
  expected_total_cents: optionalWhole(0, Number.MAX_SAFE_INTEGER, 'The accepted total: no other is charged'),
};

const NEXT_IS_CONFIRMATION =
  'The store confirms the order next: follow it with get_order, or send the customer tracking_link.';

type Deps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>;

/** Creates the tool that places a quoted order, at the caller's stated total or the quoted one (docs/orders.md). */
export function placeOrderTool(deps: Deps): Tool {
  return defineTool({
    name: 'place_order',
    description:
      "Places and charges a quoted order after the customer accepts the total. If it has changed, places nothing and returns the new quote. If agents can't place orders, send the customer checkout_url.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    input,
    async run(caller, { order_id: orderId, expected_total_cents: expected }) {
      const unplaced = await findChecked(deps, caller, orderId);
      if (unplaced && !(await mayPlace(deps, caller, unplaced))) return handOver(deps, caller, unplaced);
      // The checked order is the placed order.
      const checked = unplaced && { totalCents: orderTotalCents(unplaced), quoteId: unplaced.quote.quoteId };
      try {
        const order = await finalizeOrder(deps, caller, orderId, {
          ...checked,
          totalCents: expected ?? checked?.totalCents,
        });
        return {
          ...showOrder(order, checkoutLinkDeps(deps, caller)),
          ...(order.status === 'awaiting_confirmation' ? { next: NEXT_IS_CONFIRMATION } : {}),
        };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (unplaced) await uncountPlacing(deps, caller, caller.customer, orderId);
        if (unplaced && needsPerson(error)) return handOver(deps, caller, unplaced);
        throw await withQuote(deps, caller, orderId, error);
      }
    },
  });
}

const HAND_OVER = 'Nothing was placed or charged. Send the customer checkout_url to pay and place the order.';
const QUOTE_AGAIN = 'Nothing was placed or charged. Call quote_order again with this order_id for a checkout_url.';

/** The unplaced order of a caller that may not place each one; undefined for others. */
async function findChecked({ db }: Deps, caller: AgentCaller, orderId: string): Promise<Order | undefined> {
  if (!caller.customer && caller.agentOrders === 'place') return undefined;
  const order = await findOrder(db, caller, orderId);
  return order?.status === 'unplaced' ? order : undefined;
}

/** Whether an agent places an order itself; counts the placing of a customer's agent. */
async function mayPlace({ db, clock }: Deps, caller: AgentCaller, order: Order): Promise<boolean> {
  const { customer, agentOrders } = caller;
  const checked = { totalCents: holdCents(order.quote), hasAlcohol: needsIdCheck(order) };
  if (!customer || handOverReason({ ...customer, agentOrders }, checked)) return false;
  return takePlacing(db, customer, order.orderId, clock.now());
}

/** Uncounts a refused placing, unless another request is placing the order or has placed it. */
export async function uncountPlacing(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  agent: Pick<TokenBearer, 'grantId'> | undefined,
  orderId: string,
): Promise<void> {
  const order = await findOrder(db, caller, orderId);
  if (agent && order?.status === 'unplaced' && order.chargeState !== 'pending') await dropPlacing(db, agent, orderId);
}

/** Whether a charge waits for its customer, who approves it on the hosted checkout. */
const needsPerson = ({ extras }: Refusal) => extras.members?.decline_code === 'authentication_required';

/** Hands an unplaced order over to its customer, who places it on the hosted checkout. */
function handOver(deps: Deps, caller: AgentCaller, order: Order) {
  const shown = showOrder(order, checkoutLinkDeps(deps, caller));
  return { ...shown, next: shown.checkout_url === undefined ? QUOTE_AGAIN : HAND_OVER };
}

/** Returns the error of a changed quote with the current one, and any other as it is. */
async function withQuote(deps: Deps, caller: AgentCaller, orderId: string, refusal: Refusal): Promise<Refusal> {
  const order = refusal.code === 'quote_changed' ? await findOrder(deps.db, caller, orderId) : undefined;
  if (!order) return refusal;
  const quote = showOrder(order, checkoutLinkDeps(deps, caller));
  return withExplanation(refusal, {
    quote,
    accept_with: { order_id: orderId, expected_total_cents: orderTotalCents(order) },
  });
}

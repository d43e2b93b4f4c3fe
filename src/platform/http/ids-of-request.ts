/** The fields of a request that log lines have, whatever the route. */
type Identified = { caller?: { accountId: string } | null; params?: unknown; query?: unknown; body?: unknown };

/** Ids of orders as the service makes them; any other text of a client stays out of the log. */
const ORDER_ID = /^ord_[\w-]{1,40}$/;

/** The account of a request's key, and the order that its path, its query or its body names. */
export function idsOfRequest({ caller, params, query, body }: Identified): { accountId?: string; orderId?: string } {
  const accountId = caller?.accountId;
  const orderId = [params, query, body].map(orderIdIn).find((found) => found !== undefined);
  return { ...(accountId === undefined ? {} : { accountId }), ...(orderId === undefined ? {} : { orderId }) };
}

function orderIdIn(members: unknown): string | undefined {
  if (typeof members !== 'object' || members === null || !('order_id' in members)) return undefined;
  const { order_id: orderId } = members;
  return typeof orderId === 'string' && ORDER_ID.test(orderId) ? orderId : undefined;
}

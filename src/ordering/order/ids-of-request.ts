/** Parts of a request that supply ids for log lines. */
type RequestParts = { caller?: { accountId: string } | null; params?: unknown; query?: unknown; body?: unknown };

/** Format of the service's order ids; other client text stays out of the log. */
const ORDER_ID = /^ord_[\w-]{1,40}$/;

/** Returns the account of a request's key, and the order named by its path, query or body. */
export function idsOfRequest({ caller, params, query, body }: RequestParts): { accountId?: string; orderId?: string } {
  const accountId = caller?.accountId;
  const orderId = [params, query, body].map(findOrderId).find((found) => found !== undefined);
  return { ...(accountId === undefined ? {} : { accountId }), ...(orderId === undefined ? {} : { orderId }) };
}

function findOrderId(members: unknown): string | undefined {
  if (typeof members !== 'object' || members === null || !('order_id' in members)) return undefined;
  const { order_id: orderId } = members;
  return typeof orderId === 'string' && ORDER_ID.test(orderId) ? orderId : undefined;
}

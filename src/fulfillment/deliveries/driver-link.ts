import type { Order } from '../../ordering/order/order.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { type CountRequest, limitPerMinute } from '../../platform/load/rate-limit.ts';

const KIND = 'driver-link';
const NUMBER_BYTES = 4;

/** The encrypted content of a driver's link: the order, and the number of the assignment. */
export type DriverLink = { orderId: string; link: number };

/** Returns `{base_url}/driver/{token}`, always the same: a store can show it again. The token hides the order's id. */
export function driverLinkOf(
  order: Pick<Order, 'orderId' | 'driverLink'>,
  { tokens, baseUrl }: { tokens: TokenSealer; baseUrl: string },
): string {
  return `${baseUrl}/driver/${sealDriverLink(tokens, { orderId: order.orderId, link: order.driverLink })}`;
}

export function sealDriverLink(tokens: TokenSealer, { orderId, link }: DriverLink): string {
  const number = Buffer.alloc(NUMBER_BYTES);
  number.writeUInt32BE(link);
  return tokens.sealLink(KIND, Buffer.concat([number, Buffer.from(orderId)]));
}

/** Opens a token; undefined unless this service sealed it as a driver's link. */
export function openDriverLink(tokens: TokenSealer, token: string): DriverLink | undefined {
  const payload = tokens.openLink(KIND, token);
  if (!payload || payload.length <= NUMBER_BYTES) return undefined;
  return { orderId: payload.toString('utf8', NUMBER_BYTES), link: payload.readUInt32BE() };
}

/** Whether a link works: while the order is in progress, until another driver is assigned. */
export function isLinkAlive({ status, driverLink, driverStage }: LinkedOrder, link: number): boolean {
  return status === 'in_progress' && driverStage !== 'none' && driverLink === link;
}

type LinkedOrder = Pick<Order, 'status' | 'driverLink' | 'driverStage'>;

/** Maximum reads and steps per link and minute. The page reads its state every 15 seconds. */
export const CALLS_PER_MINUTE = 120;

export function limitLink(maxCalls: number, clock: Clock): CountRequest {
  return limitPerMinute(maxCalls, clock, `One link allows up to ${maxCalls} of these requests per minute.`);
}

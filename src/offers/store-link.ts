import type { TokenSealer } from '../lib/tokens.ts';
import type { StoreNotice } from './store-notice.ts';

const KIND = 'store-link';

/** The secret of the link that opens one order for its store: the same at every attempt, and stored as its hash. */
export function storeLinkOf(
  tokens: Pick<TokenSealer, 'sign'>,
  { orderId, channel }: Pick<StoreNotice, 'orderId' | 'channel'>,
): string {
  return tokens.sign(KIND, Buffer.from(`${orderId} ${channel}`));
}

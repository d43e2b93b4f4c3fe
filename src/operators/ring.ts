import type { StoreChannel } from '../offers/store-channel.ts';
import type { NoticeState } from '../offers/store-notice.ts';

/** A store's channels get an order within this time, unless something is wrong. */
const REACH_SECONDS = 10;
/** A kitchen that sees an order answers it within this time. */
const ANSWER_SECONDS = 60;

export type OfferedOn = {
  channel: StoreChannel;
  state: NoticeState;
  lastError: string | null;
  failingSince: Temporal.Instant | null;
};

/**
 * When an order that waits for its store begins to ring at the operator; undefined once a channel has acknowledged it. An
 * order rings at once where the operator is a channel of its store or a channel fails, after 10 s where no channel has it,
 * and 60 s after a first channel had it.
 */
export function ringsAt(
  offers: readonly OfferedOn[],
  { offeredAt, receivedAt }: { offeredAt: Temporal.Instant; receivedAt: Temporal.Instant | null },
): Temporal.Instant | undefined {
  if (offers.some(({ state }) => state === 'acknowledged')) return undefined;
  const isAtOnce = ({ channel, failingSince, lastError }: OfferedOn) =>
    channel === 'operator' || failingSince !== null || lastError !== null;
  if (offers.some(isAtOnce)) return offeredAt;
  return receivedAt?.add({ seconds: ANSWER_SECONDS }) ?? offeredAt.add({ seconds: REACH_SECONDS });
}

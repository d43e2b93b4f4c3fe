/** What receives the live orders of a store. */
export const STORE_CHANNELS = ['console', 'email', 'sms', 'webhook', 'printer', 'operator'] as const;
export type StoreChannel = (typeof STORE_CHANNELS)[number];

/** When a printer prints the kitchen ticket: with `confirmed` the printer is no way for the store to learn of an order. */
export type PrintAt = 'offered' | 'confirmed';

export type Channel = {
  channel: StoreChannel;
  /** An e-mail address, a phone number (E.164), a URL, or HOST:PORT; null for the console and the operator. */
  target: string | null;
  /** `whsec_…` of a webhook. */
  signingSecret: string | null;
  /** Until when the predecessor of a rotated secret signs too. */
  previousSecretUntil: Temporal.Instant | null;
  printAt: PrintAt;
  encoding: string;
  /** Since when every attempt has failed; null while the last attempt succeeded. */
  failingSince: Temporal.Instant | null;
  lastError: string | null;
};

/** Whether a store that has this channel learns of a new order by it. */
export function receivesOrders({ channel, printAt }: Pick<Channel, 'channel' | 'printAt'>): boolean {
  return channel !== 'printer' || printAt === 'offered';
}

/** An element of `channels` in the answer of `stores channels`; the secret is shown beside its webhook. */
export function presentChannel(channel: Channel) {
  const { signingSecret, failingSince, lastError } = channel;
  return {
    channel: channel.channel,
    target: channel.target,
    state: failingSince === null ? 'working' : 'failing',
    ...(failingSince === null ? {} : { failing_since: failingSince.toString(), last_error: lastError }),
    ...(channel.channel === 'printer' ? { print_at: channel.printAt, encoding: channel.encoding } : {}),
    ...(signingSecret === null ? {} : { signing_secret: signingSecret }),
  };
}

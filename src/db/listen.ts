import pg from 'pg';
import { connectionOptions } from './connection-options.ts';

export type ListenOptions = {
  connectionString: string;
  channel: string;
  applicationName: string;
  /**
   * Called with the text of each notification; without one after each (re)connection, because a notification may have been
   * missed before.
   */
  onNotice(payload?: string): void;
};

const RECONNECT_MS = 500;
const CONNECT_TIMEOUT_MS = 5000;
/** A server that vanishes without a word closes no connection: an idle listener asks whether the server is still there. */
const BEAT_MS = 10_000;
const SILENCE_MS = 5000;

/**
 * Listens to a channel on its own connection, and reconnects by itself, within 15 seconds of a silent loss. A notification is only a reason to look sooner: a
 * caller that must miss nothing also polls.
 */
export function listen({ connectionString, channel, applicationName, onNotice }: ListenOptions): {
  close(): Promise<void>;
} {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let beat: NodeJS.Timeout | undefined;
  let isClosed = false;

  function connect(): void {
    const own = new pg.Client({
      ...connectionOptions(connectionString),
      application_name: applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: SILENCE_MS,
      keepAlive: true,
    });
    client = own;
    own.on('error', () => reconnect(own));
    own.on('end', () => reconnect(own));
    own.on('notification', ({ payload }) => onNotice(payload ?? ''));
    own
      .connect()
      .then(() => own.query(`listen ${own.escapeIdentifier(channel)}`))
      .then(
        () => {
          onNotice();
          beatAgain(own);
        },
        () => reconnect(own),
      );
  }

  function beatAgain(own: pg.Client): void {
    if (client !== own) return;
    const ask = () =>
      own.query('select 1').then(
        () => beatAgain(own),
        () => reconnect(own),
      );
    beat = setTimeout(ask, BEAT_MS).unref();
  }

  function reconnect(lost: pg.Client): void {
    if (client !== lost) return;
    client = undefined;
    clearTimeout(beat);
    lost.end().catch(() => {});
    if (!isClosed) retry = setTimeout(connect, RECONNECT_MS);
  }

  connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(retry);
      clearTimeout(beat);
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    },
  };
}

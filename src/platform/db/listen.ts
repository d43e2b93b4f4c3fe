import pg from 'pg';
import type { Logger } from 'pino';
import { connectionOptions } from './connection-options.ts';
import { RetryLog } from './is-database-unavailable.ts';

export type ListenOptions = {
  connectionString: string;
  channel: string;
  applicationName: string;
  log: Pick<Logger, 'info' | 'warn'>;
  /**
   * Called with each notification's text, and without an argument after each (re)connection, because notifications may
   * have been missed.
   */
  onNotice(payload?: string): void;
};

const RECONNECT_MS = 500;
const CONNECT_TIMEOUT_MS = 5000;
/** A server that vanishes closes no connection, so an idle listener sends heartbeats. */
const HEARTBEAT_MS = 10_000;
const SILENCE_MS = 5000;

/**
 * Listens to a channel on its own connection and reconnects within 15 seconds of a silent loss. A notification only
 * means "look sooner": a caller that must miss nothing also polls.
 */
export class Listener {
  private readonly options: ListenOptions;
  private readonly retryLog: RetryLog;
  private client: pg.Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(options: ListenOptions) {
    this.options = options;
    this.retryLog = new RetryLog(options.log, `listening to ${options.channel} failed; trying again`);
    this.connect();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retry);
    clearTimeout(this.heartbeat);
    const last = this.client;
    this.client = undefined;
    await last?.end().catch(() => {});
  }

  private connect(): void {
    const { connectionString, channel, applicationName, log, onNotice } = this.options;
    const client = new pg.Client({
      ...connectionOptions(connectionString),
      application_name: applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: SILENCE_MS,
      keepAlive: true,
    });
    this.client = client;
    client.on('error', (error) => this.reconnect(client, error));
    client.on('end', () => this.reconnect(client, new Error('Connection terminated')));
    client.on('notification', ({ payload }) => onNotice(payload ?? ''));
    client
      .connect()
      .then(() => client.query(`listen ${client.escapeIdentifier(channel)}`))
      .then(
        () => {
          const failures = this.retryLog.worked();
          if (failures > 0) log.info({ failures }, `listening to ${channel} again`);
          onNotice();
          this.scheduleHeartbeat(client);
        },
        (error) => this.reconnect(client, error),
      );
  }

  private scheduleHeartbeat(client: pg.Client): void {
    if (this.client !== client) return;
    const beat = () =>
      client.query('select 1').then(
        () => this.scheduleHeartbeat(client),
        (error) => this.reconnect(client, error),
      );
    this.heartbeat = setTimeout(beat, HEARTBEAT_MS).unref();
  }

  private reconnect(lost: pg.Client, error: unknown): void {
    if (this.client !== lost) return;
    if (!this.isClosed) this.retryLog.failed(error);
    this.client = undefined;
    clearTimeout(this.heartbeat);
    lost.end().catch(() => {});
    if (!this.isClosed) this.retry = setTimeout(() => this.connect(), RECONNECT_MS);
  }
}

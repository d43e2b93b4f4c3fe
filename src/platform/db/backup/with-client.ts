import type { Socket } from 'node:net';
import pg from 'pg';
import { connectionOptions, setSession } from '../connection-options.ts';

/**
 * Session settings that make the text of values reversible and equal on all servers, and lift the statement timeout.
 */
const SESSION = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  extra_float_digits: '3',
  bytea_output: 'hex',
  client_encoding: 'UTF8',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...connectionOptions(connectionString),
    application_name: 'doorstep-backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // Ignored: a lost connection also rejects the running statement; without a listener the `error` event would end the
  // process.
  client.on('error', () => {});
  await client.connect();
  try {
    await setSession(client, SESSION);
    const result = await work(client);
    await client.end();
    return result;
  } catch (error) {
    // An interrupted copy has unread bytes in flight: closing the socket makes the server roll back.
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    throw error;
  }
}

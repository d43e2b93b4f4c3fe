import type { Socket } from 'node:net';
import pg from 'pg';
import { connectionOptions } from '../connection-options.ts';

/**
 * The text of every value is the same whatever the server's settings are, and reads back as the same value. No statement
 * of a backup has a time limit.
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

/** Runs the work on a connection of its own, and closes that. */
export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const options = Object.entries(SESSION)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const client = new pg.Client({
    ...connectionOptions(connectionString),
    options,
    application_name: 'doorstep-backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // The statement under way fails too, and its failure is what the caller hears of.
  client.on('error', () => {});
  await client.connect();
  try {
    const result = await work(client);
    await client.end();
    return result;
  } catch (error) {
    // A copy that was broken off has unread bytes on the way: the server rolls back when the connection breaks.
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    throw error;
  }
}

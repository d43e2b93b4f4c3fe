import type { EventEmitter } from 'node:events';
import { Socket } from 'node:net';

/** Authentication methods by their libpq `require_auth` names, and the driver's event for each. */
const EVENTS = {
  password: 'authenticationCleartextPassword',
  md5: 'authenticationMD5Password',
  'scram-sha-256': 'authenticationSASL',
} as const;
type Method = keyof typeof EVENTS;
const METHODS = Object.keys(EVENTS) as Method[];
const DEFAULT: readonly string[] = ['scram-sha-256'];

const WORDS: Readonly<Record<Method, string>> = {
  password: 'the password in clear text',
  md5: 'an MD5 hash of the password',
  'scram-sha-256': 'SCRAM',
};

/**
 * The server requested the password in a form that discloses it. The code is SQL's "unable to establish connection".
 */
export class InsecureAuthenticationError extends Error {
  readonly code = '08001';

  constructor(method: Method) {
    super(
      `The database server requested ${WORDS[method]}, and Doorstep did not send it. Store the password as scram-sha-256 on the server, or allow the method in DATABASE_URL (require_auth=${method}).`,
    );
    this.name = 'InsecureAuthenticationError';
  }
}

/** Members of the driver's `ClientConfig`. */
type ConnectionOptions = { connectionString: string; stream: () => Socket };

type Connection = EventEmitter & { stream: Socket };

/**
 * The options of every connection to PostgreSQL. With SCRAM the server authenticates itself too, and the password is
 * never sent. A server that requests a weaker method may be an impostor: the connection is closed before the driver
 * answers.
 */
export function connectionOptions(connectionString: string): ConnectionOptions {
  const allowed = new URL(connectionString).searchParams.get('require_auth')?.split(',') ?? DEFAULT;
  const refused = METHODS.filter((method) => !allowed.includes(method));
  return {
    connectionString,
    // The driver calls this option as a method of the connection, before the client listens to it.
    stream: function openStream(this: Connection): Socket {
      for (const method of refused) {
        this.on(EVENTS[method], () => this.stream.destroy(new InsecureAuthenticationError(method)));
      }
      return new Socket();
    } as () => Socket,
  };
}

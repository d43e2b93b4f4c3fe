import type { EventEmitter } from 'node:events';
import { Socket } from 'node:net';

/** Methods of authentication, named as in libpq's `require_auth`, and the driver's event of a server that asks for one. */
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

/** The server asked for the password in a way that would give it away. The code is SQL's "unable to establish connection". */
export class InsecureAuthenticationError extends Error {
  readonly code = '08001';

  constructor(method: Method) {
    super(
      `The database server asks for ${WORDS[method]} and got nothing: store the password as scram-sha-256 there, or name what you accept in DATABASE_URL (require_auth=${method}).`,
    );
    this.name = 'InsecureAuthenticationError';
  }
}

/** Members of the driver's own `ClientConfig`. */
type ConnectionOptions = { connectionString: string; stream: () => Socket };

type Connection = EventEmitter & { stream: Socket };

/**
 * The options of every connection to PostgreSQL. A server proves by SCRAM that it knows the password already. Whatever else
 * listens at its address must not get the password by asking for it, so such a connection is closed before the driver
 * answers.
 */
export function connectionOptions(connectionString: string): ConnectionOptions {
  const allowed = new URL(connectionString).searchParams.get('require_auth')?.split(',') ?? DEFAULT;
  const refused = METHODS.filter((method) => !allowed.includes(method));
  return {
    connectionString,
    // The driver's connection calls this option as its own method, before the client listens to the connection.
    stream: function openStream(this: Connection): Socket {
      for (const method of refused) {
        this.on(EVENTS[method], () => this.stream.destroy(new InsecureAuthenticationError(method)));
      }
      return new Socket();
    } as () => Socket,
  };
}

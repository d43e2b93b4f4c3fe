import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import type pg from 'pg';
import { ConfigError } from '../config/config.ts';
import { readErrorReason } from '../lib/read-bytes.ts';

/** Methods that request a password, by their libpq `require_auth` names, and the driver's event for each. */
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
 * The server requested the password in a form that discloses it, or no password although the URL has one. The code is
 * SQL's "unable to establish connection".
 */
export class InsecureAuthenticationError extends Error {
  readonly code = '08001';

  constructor(method: Method | 'none') {
    super(method === 'none' ? NO_PASSWORD : disclosing(method));
    this.name = 'InsecureAuthenticationError';
  }
}

const NO_PASSWORD =
  'The database server requested no password although DATABASE_URL has one, and Doorstep sent it no statement: it may be another server. Make it request scram-sha-256 (pg_hba.conf), or allow it in DATABASE_URL (require_auth=none,scram-sha-256).';

const disclosing = (method: Method) =>
  `The database server requested ${WORDS[method]}, and Doorstep did not send it. Store the password as scram-sha-256 on the server, or allow the method in DATABASE_URL (require_auth=${method}).`;

/** Members of the driver's `ClientConfig`. */
type ConnectionOptions = { connectionString: string; stream: () => Socket };

type Connection = EventEmitter & { stream: Socket };

/**
 * Returns the options of every connection to PostgreSQL. With SCRAM the server authenticates itself too, and the
 * password is never sent. A server that requests a weaker method, or no password although the URL has one, may be an
 * impostor: the connection is closed before the driver answers or sends a statement.
 */
export function connectionOptions(connectionString: string): ConnectionOptions {
  const { password, searchParams } = new URL(connectionString);
  refuseBadTlsFiles(searchParams);
  const allowed = searchParams.get('require_auth')?.split(',') ?? DEFAULT;
  const hasPassword = password !== '' || searchParams.has('password');
  const refused = METHODS.filter((method) => !allowed.includes(method));
  return {
    connectionString,
    // The driver calls this option as a method of the connection, before the client listens to it.
    stream: function openStream(this: Connection): Socket {
      for (const method of refused) {
        this.on(EVENTS[method], () => this.stream.destroy(new InsecureAuthenticationError(method)));
      }
      if (hasPassword && !allowed.includes('none')) refuseWithoutPassword(this);
      return new Socket();
    } as () => Socket,
  };
}

/** Sets a new connection's session settings. As startup parameters, PgBouncer would refuse or drop them. */
export async function setSession(client: pg.ClientBase, settings: Readonly<Record<string, string>>): Promise<void> {
  const calls = Object.entries(settings).map((setting) => {
    const [name, value] = setting.map((text) => client.escapeLiteral(text));
    return `set_config(${name}, ${value}, false)`;
  });
  if (calls.length > 0) await client.query(`select ${calls.join()}`);
}

function refuseWithoutPassword(connection: Connection): void {
  let isRequested = false;
  const request = () => {
    isRequested = true;
  };
  for (const event of Object.values(EVENTS)) connection.on(event, request);
  connection.on('authenticationOk', () => {
    if (isRequested) return;
    // The server may have sent that it is ready in the same packet, and the driver would send the first statement.
    connection.removeAllListeners('readyForQuery');
    connection.stream.destroy(new InsecureAuthenticationError('none'));
  });
}

/** Throws ConfigError for files that the driver would fail to use at each connection, without naming their parameter. */
function refuseBadTlsFiles(parameters: URLSearchParams): void {
  for (const [name, parse] of [
    ['sslrootcert', (text: Buffer) => new X509Certificate(text)],
    ['sslcert', (text: Buffer) => new X509Certificate(text)],
    ['sslkey', (text: Buffer) => createPrivateKey(text)],
  ] as const) {
    const file = parameters.get(name);
    if (!file) continue;
    let step = 'read';
    try {
      const text = readFileSync(file);
      step = 'used';
      parse(text);
    } catch (error) {
      const reason = step === 'read' ? readErrorReason(error) : 'it is not in the PEM format';
      throw new ConfigError([`The file of ${name} in DATABASE_URL could not be ${step}: ${reason}.`]);
    }
  }
}

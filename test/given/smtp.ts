import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** The server's answer to a command, or the point at which it stops answering; then `hang` is called. */
export type SmtpTrouble =
  | { at: 'mail' | 'rcpt' | 'data'; code: number }
  | { at: 'bcc-only'; code: number }
  | { at: 'data'; hang: () => void };

export type ReceivedMail = {
  envelope: { from: string; to: string[] };
  raw: string;
  mail: Email;
  isEncrypted: boolean;
};

export type SmtpReceiver = {
  url: string;
  port: number;
  received: ReceivedMail[];
  trouble(trouble: SmtpTrouble, times?: number): void;
  close(): Promise<void>;
};

export type SmtpReceiverOptions = { tls?: boolean; user?: string; password?: string; port?: number };

export async function givenSmtp(options: SmtpReceiverOptions = {}): Promise<SmtpReceiver> {
  const received: ReceivedMail[] = [];
  const troubles: SmtpTrouble[] = [];
  const refusal = (code: number) => Object.assign(new Error('Trouble'), { responseCode: code });
  const server = new SMTPServer({
    authOptional: options.user === undefined,
    allowInsecureAuth: true,
    hideSTARTTLS: !options.tls,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === options.user && password === options.password ? done(null, { user: username }) : done(refusal(535)),
    onMailFrom: (_address, _session, done) => {
      const [trouble] = troubles;
      if (trouble?.at !== 'mail') return done();
      troubles.shift();
      done(refusal(trouble.code));
    },
    onRcptTo: ({ address }, _session, done) => {
      const [trouble] = troubles;
      const applies = trouble?.at === 'rcpt' || (trouble?.at === 'bcc-only' && !address.startsWith('bcc'));
      if (!trouble || !applies || !('code' in trouble)) return done();
      troubles.shift();
      done(refusal(trouble.code));
    },
    onData: async (stream, session, done) => {
      const raw = await text(stream).catch(() => undefined);
      const trouble = troubles[0]?.at === 'data' ? troubles.shift() : undefined;
      if (trouble && 'hang' in trouble) trouble.hang();
      if (raw === undefined || (trouble && 'hang' in trouble)) return;
      if (trouble && 'code' in trouble) return done(refusal(trouble.code));
      const { mailFrom, rcptTo } = session.envelope;
      const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
      received.push({ envelope, raw, mail: await PostalMime.parse(raw), isEncrypted: session.secure });
      done();
    },
  });
  server.on('error', () => {});
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const user = options.user === undefined ? '' : `${options.user}:${options.password}@`;
  return {
    url: `smtp://${user}127.0.0.1:${port}`,
    port,
    received,
    trouble: (trouble, times = 1) => void troubles.push(...Array<SmtpTrouble>(times).fill(trouble)),
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

/** A server that follows a script: its response to each line, `hang up` or nothing. */
export async function givenScriptedSmtp(answerTo: (line: string, count: number) => string | 'hang up' | undefined) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let count = 0;
    const answer = (line: string) => {
      const reply = answerTo(line, count);
      count += 1;
      if (reply === 'hang up') socket.destroy();
      else if (reply !== undefined) socket.write(reply);
    };
    answer('');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) answer(line);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import type { LookupFunction } from 'node:net';
import { connect } from 'node:tls';

type CertificateOptions = {
  timeoutMs: number;
  /** Resolves the host; the system's resolver by default. */
  lookup?: LookupFunction;
  /** Whether to read a certificate too that browsers refuse, such as one that has ended. */
  acceptsAny?: boolean;
};

/** Reads when the certificate of an https URL's host ends. Rejects if it is refused, or not answered in time. */
export async function readCertificateEnd(
  { hostname, port }: URL,
  { timeoutMs, lookup, acceptsAny = false }: CertificateOptions,
): Promise<Temporal.Instant> {
  const { promise, resolve, reject } = Promise.withResolvers<Date>();
  const options = { host: hostname, port: Number(port || 443), servername: hostname, rejectUnauthorized: !acceptsAny };
  const socket = connect({ ...options, ...(lookup && { lookup }) }, () =>
    resolve(new Date(socket.getPeerCertificate().valid_to)),
  );
  socket.on('error', reject);
  // The whole handshake: a host that drips is no answer.
  const late = setTimeout(() => reject(new DOMException('The time is over.', 'TimeoutError')), timeoutMs);
  try {
    return Temporal.Instant.fromEpochMilliseconds((await promise).getTime());
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
}

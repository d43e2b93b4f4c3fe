import type { LookupFunction } from 'node:net';
import { connect } from 'node:tls';

type CertificateOptions = {
  timeoutMs: number;
  /** Resolves the host; the system's resolver by default. */
  lookup?: LookupFunction;
  /** Also reads a certificate that browsers refuse, such as an expired one. */
  acceptsAny?: boolean;
};

/** Reads the expiry of the certificate of an https URL's host. Rejects if it is refused or the host times out. */
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
  // Limits the whole handshake, even if a host sends byte by byte.
  const late = setTimeout(() => reject(new DOMException('The time is over.', 'TimeoutError')), timeoutMs);
  try {
    return Temporal.Instant.fromEpochMilliseconds((await promise).getTime());
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
}

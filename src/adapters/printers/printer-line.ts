import { connect, type Socket } from 'node:net';
import type { PrinterTarget } from '../../tickets/printer.ts';

/** The end of a wait: the expected bytes came, the printer ended the connection, or the time was over. */
export type WaitEnd = 'heard' | 'ended' | 'late';

/** A connection to a printer. Every wait rejects where the connection breaks. */
export type PrinterLine = {
  send(bytes: Uint8Array): void;
  /** Sends the last bytes; the printer may still answer. */
  finish(bytes: Uint8Array): void;
  /** Waits until `isHeard` holds for the bytes received since the last `forget`. */
  wait(isHeard: (received: Uint8Array, isConnected: boolean) => boolean, timeoutMs: number): Promise<WaitEnd>;
  received(): Uint8Array;
  forget(): void;
  /** Whether the operating system has taken all bytes of this side. */
  isSent(): boolean;
  close(): void;
};

/** A printer sends a few bytes of state. A peer that sends more than this is no printer. */
const MAX_RECEIVED = 4096;

/** Begins to connect. An aborted signal breaks the connection. */
export function openLine({ host, port }: PrinterTarget, signal: AbortSignal): PrinterLine {
  const socket: Socket = connect({ host, port, signal, noDelay: true, allowHalfOpen: true });
  let received: Uint8Array = new Uint8Array();
  let hasEnded = false;
  let failure: Error | undefined;
  let look = () => {};
  const seen = (change: () => void) => () => {
    change();
    look();
  };
  socket.on('error', (error) => seen(() => (failure ??= error))());
  socket.on(
    'end',
    seen(() => (hasEnded = true)),
  );
  socket.on(
    'close',
    seen(() => (hasEnded = true)),
  );
  socket.on('connect', () => look());
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length > MAX_RECEIVED) socket.destroy(new Error('more bytes than a printer sends'));
    look();
  });
  return {
    send: (bytes) => void socket.write(bytes),
    finish: (bytes) => void socket.end(bytes),
    wait: (isHeard, timeoutMs) =>
      new Promise((resolve, reject) => {
        const late = AbortSignal.timeout(timeoutMs);
        look = () => {
          if (failure) reject(failure);
          else if (isHeard(received, !socket.connecting)) resolve('heard');
          else if (hasEnded) resolve('ended');
          else if (late.aborted) resolve('late');
        };
        late.addEventListener('abort', () => look());
        look();
      }),
    received: () => received,
    forget: () => {
      received = new Uint8Array();
    },
    isSent: () => socket.writableLength === 0,
    close: () => void socket.destroy(),
  };
}

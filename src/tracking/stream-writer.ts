import type { Watcher } from './tracking-feed.cache.ts';

/** A page with this many unread bytes is gone or too slow: its stream is dropped, and the page reconnects by itself. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** The part of an HTTP response that a stream needs. */
export type Outlet = {
  readonly writableLength: number;
  readonly writableEnded: boolean;
  readonly destroyed: boolean;
  write(text: string): unknown;
  end(): unknown;
  destroy(): unknown;
};

/** A watcher that writes server-sent events (WHATWG HTML standard, section 9.2). */
export function streamWriter(outlet: Outlet): Watcher {
  const write = (text: string) => {
    if (outlet.writableEnded || outlet.destroyed) return;
    if (outlet.writableLength > MAX_UNREAD_BYTES) outlet.destroy();
    else outlet.write(text);
  };
  return {
    // JSON holds no line break, which would end the message.
    send: (version, message) => write(`id: ${version}\nevent: order\ndata: ${message}\n\n`),
    beat: () => write(':\n\n'),
    end: () => {
      if (!outlet.writableEnded) outlet.end();
    },
  };
}

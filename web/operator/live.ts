import { useEffect, useState } from 'preact/hooks';
import { addressOf, type Waiting } from './api.ts';

/** Milliseconds of silence after which a stream counts as lost, even if the browser shows it as open. */
const MAX_STREAM_SILENCE_MS = 15_000;
const RETRY_MS = 2000;

export type Live = {
  waiting: Waiting | undefined;
  /** Seconds by which the service's clock is ahead of this machine's. */
  aheadS: number;
  /** Since when the list may be out of date, in this machine's epoch seconds; undefined while it is current. */
  lostSince: number | undefined;
};

/** Follows the orders that wait for their stores, and reconnects whenever the stream is lost. */
export function useLive(): Live {
  const [live, setLive] = useState<Live>({ waiting: undefined, aheadS: 0, lostSince: undefined });
  useEffect(() => follow(setLive), []);
  return live;
}

function follow(setLive: (change: (before: Live) => Live) => void): () => void {
  let stream: EventSource | undefined;
  let lastBeatMs = Date.now();
  const markAlive = () => {
    lastBeatMs = Date.now();
    setLive((before) => (before.lostSince === undefined ? before : { ...before, lostSince: undefined }));
  };
  const markLost = () => setLive((before) => ({ ...before, lostSince: before.lostSince ?? Date.now() / 1000 }));
  const open = () => {
    stream?.close();
    lastBeatMs = Date.now();
    stream = new EventSource(addressOf('/operator/orders/waiting/stream'));
    stream.addEventListener('waiting', (event) => {
      const waiting: Waiting = JSON.parse(event.data);
      markAlive();
      setLive((before) => ({ ...before, waiting, aheadS: waiting.now - Date.now() / 1000 }));
    });
    stream.addEventListener('beat', markAlive);
    stream.addEventListener('failed', markLost);
    stream.addEventListener('error', markLost);
  };
  open();
  const watching = setInterval(() => {
    const isSilent = Date.now() - lastBeatMs > MAX_STREAM_SILENCE_MS;
    if (isSilent) markLost();
    if (isSilent || stream?.readyState === EventSource.CLOSED) {
      open();
      void endIfSignedOut();
    }
  }, RETRY_MS);
  window.addEventListener('online', open);
  return () => {
    clearInterval(watching);
    window.removeEventListener('online', open);
    stream?.close();
  };
}

/** `EventSource` does not expose the error status, so this checks whether the session has expired. */
async function endIfSignedOut(): Promise<void> {
  const reply = await fetch(addressOf('/operator/orders/waiting')).catch(() => undefined);
  if (reply?.status === 401) location.assign(addressOf('/console'));
}

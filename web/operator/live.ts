import { useEffect, useState } from 'preact/hooks';
import { followStream } from '../console/order-stream.ts';
import { listen } from '../listen.ts';
import { addressOf, type Waiting } from './api.ts';

/** Three heartbeats of the stream. */
const SILENCE_MS = 15_000;

export type Live = {
  waiting: Waiting | undefined;
  /** How far the service's clock is ahead of this machine's, in seconds. */
  aheadS: number;
  /** Since when the list may be out of date, in this machine's epoch seconds; undefined while it is current. */
  lostSince: number | undefined;
};

/** Follows the orders that wait for their stores, and reconnects whenever the stream is lost. */
export function useLive(): Live {
  const [live, setLive] = useState<Live>({ waiting: undefined, aheadS: 0, lostSince: undefined });
  useEffect(() => {
    const lost = () => setLive((before) => ({ ...before, lostSince: before.lostSince ?? Date.now() / 1000 }));
    function event(name: string, data: string): void {
      const waiting: Waiting | undefined = name === 'waiting' ? JSON.parse(data) : undefined;
      const news = waiting && { waiting, aheadS: waiting.now - Date.now() / 1000 };
      if (name === 'failed') lost();
      else setLive((before) => ({ ...before, ...news, lostSince: undefined }));
    }
    const refused = () => location.assign(addressOf('/console'));
    const url = addressOf('/operator/orders/waiting/stream');
    const stream = followStream(url, {}, { open() {}, event, lost, refused }, SILENCE_MS);
    const end = listen(window, 'online', stream.restart);
    return () => {
      end();
      stream.stop();
    };
  }, []);
  return live;
}

import { type Answer, postJson } from './connection.ts';

/** Minimum interval between reports, for any phone's receiver. */
const MIN_INTERVAL_MS = 3000;
const RETRY_MS = 3000;

/** `lost`: no connection, the last position waits. `denied`: the driver or the phone does not allow it. */
export type SharingState = 'off' | 'asking' | 'on' | 'lost' | 'denied' | 'searching';

type Hooks = {
  show(sharing: SharingState): void;
  onPosition(position: GeolocationPosition): void;
  /** Called with the delivery's stage, because a position may have brought the driver near the address. */
  onStage(stage: string): void;
  hasEnded(): void;
};

/** Shares the phone's position. Without a connection, it keeps only the last position and sends that later. */
export function createSharing({ show, onPosition, onStage, hasEnded }: Hooks) {
  let last: GeolocationPosition | undefined;
  let unsent: GeolocationPosition | undefined;
  let watching: number | undefined;
  let isDenied = false;
  let isSending = false;
  let answeredMs = 0;
  let nextMs = 0;
  let timer: number | undefined;

  function start(): void {
    if (watching !== undefined) return;
    if (!('geolocation' in navigator)) {
      show('denied');
      return;
    }
    // Sharing restarts at each step and order change. After a denial, the message is not shown again.
    if (!isDenied) show('asking');
    watching = navigator.geolocation.watchPosition(
      (position) => {
        isDenied = false;
        last = position;
        unsent = position;
        onPosition(position);
        sendSoon();
      },
      (error) => {
        if (error.code !== error.PERMISSION_DENIED) return show('searching');
        stop();
        isDenied = true;
        show('denied');
      },
      { enableHighAccuracy: true, maximumAge: 2000 },
    );
  }

  function stop(): void {
    if (watching !== undefined) navigator.geolocation.clearWatch(watching);
    watching = undefined;
    unsent = undefined;
    window.clearTimeout(timer);
  }

  function sendSoon(): void {
    window.clearTimeout(timer);
    timer = window.setTimeout(send, Math.max(0, nextMs - Date.now()));
  }

  async function send(): Promise<void> {
    const position = unsent;
    if (isSending || !position) return;
    isSending = true;
    nextMs = Date.now() + MIN_INTERVAL_MS;
    const answer = await postJson('position', bodyOf(position, answeredMs));
    isSending = false;
    if (answer.kind !== 'lost') answeredMs = Date.now();
    if (watching === undefined) return;
    if (answer.kind === 'ended') return hasEnded();
    noteAnswer(answer, position);
    if (unsent) sendSoon();
  }

  function noteAnswer(answer: Answer, position: GeolocationPosition): void {
    const isSent = answer.kind === 'done' || answer.kind === 'refused';
    if (isSent && unsent === position) unsent = undefined;
    if (!isSent) nextMs = Date.now() + waitOf(answer);
    show(isSent ? 'on' : 'lost');
    if (answer.kind === 'done' && answer.stage !== undefined) onStage(answer.stage);
  }

  // Sends at once when the phone is online again.
  window.addEventListener('online', () => {
    nextMs = 0;
    if (unsent) sendSoon();
  });

  return { start, stop, lastPosition: () => last };
}

function waitOf(answer: Answer): number {
  return answer.kind === 'again' ? answer.waitMs : RETRY_MS;
}

function bodyOf(position: GeolocationPosition, answeredMs: number): object {
  const { heading, accuracy } = position.coords;
  const course = heading === null || Number.isNaN(heading) ? {} : { course: heading };
  return { ...agedPosition(position, answeredMs), accuracy, ...course };
}

/**
 * Returns where the phone was, and how long ago. The service dates a report back from its arrival, so a slow report
 * seems newer than it is. `answeredMs` is when it was answered: no later position is reported as older.
 */
export function agedPosition({ coords: { latitude, longitude }, timestamp }: GeolocationPosition, answeredMs = 0) {
  const ageMs = Math.max(0, Date.now() - Math.max(timestamp, answeredMs));
  return { latitude, longitude, age_seconds: Math.floor(ageMs / 100) / 10 };
}

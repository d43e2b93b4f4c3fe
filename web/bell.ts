import { listen } from './listen.ts';

const NOTE_S = 0.16;
const LOUDNESS = 0.6;

export type Bell = {
  ring(isOn: boolean): void;
  /** Whether the browser allows sound. Most do so only after a first touch of the page. */
  isAllowed(): boolean;
  subscribe(listener: () => void): () => void;
};

/** A bell synthesized with Web Audio: its notes play in order and repeat. */
export function createBell({ notesHz, everyMs }: { notesHz: readonly number[]; everyMs: number }): Bell {
  const audio = 'AudioContext' in window ? new AudioContext() : undefined;
  let timer: number | undefined;

  function strike(): void {
    if (audio?.state !== 'running') return;
    for (const [index, frequency] of notesHz.entries()) note(audio, frequency, audio.currentTime + index * NOTE_S);
  }

  // On each touch, because browsers suspend sound again after a tablet slept; at its end, because a page that changes
  // with the sound moves the button away below a finger that is still on it.
  for (const touch of ['click', 'keydown']) window.addEventListener(touch, () => void audio?.resume().catch(() => {}));
  return {
    ring(isOn) {
      if (isOn === (timer !== undefined)) return;
      window.clearInterval(timer);
      timer = isOn ? window.setInterval(strike, everyMs) : undefined;
      if (isOn) strike();
    },
    isAllowed: () => audio === undefined || audio.state === 'running',
    subscribe: (listener) => listen(audio ?? new EventTarget(), 'statechange', listener),
  };
}

function note(audio: AudioContext, frequency: number, startS: number): void {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = 'triangle';
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0, startS);
  volume.gain.linearRampToValueAtTime(LOUDNESS, startS + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.001, startS + 3 * NOTE_S);
  tone.connect(volume).connect(audio.destination);
  tone.start(startS);
  tone.stop(startS + 3 * NOTE_S);
}

import { useEffect, useRef, useState } from 'preact/hooks';

const EVERY_MS = 3000;
const TONES_HZ = [880, 1175, 880];
const TONE_S = 0.16;

/** `off`: switched off here; `blocked`: the browser plays nothing before a click; `on`. */
export type SoundState = 'on' | 'off' | 'blocked';

export type Sound = { state: SoundState; toggle(): void };

/** Rings while `isRinging`. A browser allows sound after the first click or key on the page. */
export function useSound(isRinging: boolean): Sound {
  const context = useRef<AudioContext>(null);
  const [isMuted, setMuted] = useState(() => localStorage.getItem('operator-sound') === 'off');
  const [isBlocked, setBlocked] = useState(true);
  useEffect(() => {
    const unlock = () => {
      context.current ??= new AudioContext();
      void context.current.resume().then(() => setBlocked(context.current?.state !== 'running'));
    };
    const kinds = ['pointerdown', 'keydown'] as const;
    for (const kind of kinds) addEventListener(kind, unlock);
    return () => {
      for (const kind of kinds) removeEventListener(kind, unlock);
    };
  }, []);
  useEffect(() => {
    if (!isRinging || isMuted) return;
    ring(context.current);
    const timer = setInterval(() => ring(context.current), EVERY_MS);
    return () => clearInterval(timer);
  }, [isRinging, isMuted, isBlocked]);
  return {
    state: isMuted ? 'off' : isBlocked ? 'blocked' : 'on',
    toggle() {
      localStorage.setItem('operator-sound', isMuted ? 'on' : 'off');
      setMuted(!isMuted);
    },
  };
}

function ring(context: AudioContext | null): void {
  if (context?.state !== 'running') return;
  for (const [index, frequency] of TONES_HZ.entries()) {
    const [oscillator, gain] = [context.createOscillator(), context.createGain()];
    const startS = context.currentTime + index * TONE_S;
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0.0001, startS);
    gain.gain.exponentialRampToValueAtTime(0.4, startS + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, startS + TONE_S);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(startS);
    oscillator.stop(startS + TONE_S);
  }
}

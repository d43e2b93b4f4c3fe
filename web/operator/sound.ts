import { useEffect, useMemo, useState } from 'preact/hooks';
import { createBell } from '../bell.ts';

const BELL = { notesHz: [880, 1175, 880], everyMs: 3000 };
const KEPT = 'operator-sound';

/** `off`: switched off here; `blocked`: the browser plays nothing before a click; `on`. */
export type SoundState = 'on' | 'off' | 'blocked';

export type Sound = { state: SoundState; toggle(): void };

/** Rings while `isRinging`. A browser allows sound after the first click or key on the page. */
export function useSound(isRinging: boolean): Sound {
  const bell = useMemo(() => createBell(BELL), []);
  const [isMuted, setMuted] = useState(() => localStorage.getItem(KEPT) === 'off');
  const [isAllowed, setAllowed] = useState(bell.isAllowed);
  useEffect(() => bell.subscribe(() => setAllowed(bell.isAllowed())), []);
  useEffect(() => {
    bell.ring(isRinging && !isMuted);
    return () => bell.ring(false);
  }, [isRinging, isMuted, isAllowed]);
  return {
    state: isMuted ? 'off' : isAllowed ? 'on' : 'blocked',
    toggle() {
      localStorage.setItem(KEPT, isMuted ? 'on' : 'off');
      setMuted(!isMuted);
    },
  };
}

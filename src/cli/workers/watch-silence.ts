/** A worker tells the first thread so often that it lives. */
export const BEAT_MS = 5000;
/** A worker that told nothing for so many beats is stuck: no computation of a worker holds its event loop for a minute. */
const SILENT_BEATS = 12;

export type SilenceWatch = {
  /** The worker told something. */
  hear(): void;
  stop(): void;
};

/**
 * Calls `onSilent` once, where a worker told nothing for a minute. Beats are counted and not the time: a machine that
 * slept for an hour has one beat when it wakes, and so hears its workers first.
 */
export function watchSilence(onSilent: () => void): SilenceWatch {
  let beats = 0;
  const beating = setInterval(() => {
    beats += 1;
    if (beats === SILENT_BEATS) onSilent();
  }, BEAT_MS).unref();
  return {
    hear: () => {
      beats = 0;
    },
    stop: () => clearInterval(beating),
  };
}

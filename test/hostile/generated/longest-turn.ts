const PACE_MS = 5;

/** Watches how long the event loop is held, by the processor time of this thread: a busy machine adds nothing. */
export function watchTurns(): { longestMs(): number } {
  let longestUs = 0;
  let used = usedUs();
  const timer = setInterval(() => {
    const now = usedUs();
    longestUs = Math.max(longestUs, now - used);
    used = now;
  }, PACE_MS).unref();
  return {
    longestMs() {
      clearInterval(timer);
      return Math.round(longestUs / 1000);
    },
  };
}

function usedUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

const PACE_MS = 5;

/** Measures the longest event-loop block in this thread's processor time, which machine load does not affect. */
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

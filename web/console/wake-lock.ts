/** Keeps the screen on while the page is in front, where the browser allows it. */
export function keepAwake(): void {
  if (!('wakeLock' in navigator)) return;
  // A battery saver, or a hidden page, refuses the lock: it is asked for again when the page is shown.
  const ask = () => navigator.wakeLock.request('screen').catch(() => {});
  const shown = () => {
    if (!document.hidden) void ask();
  };
  document.addEventListener('visibilitychange', shown);
  shown();
}

/** Calls the listener with these events of a target, until the returned function is called. */
export function listen(target: EventTarget, events: string, listener: (event: Event) => unknown): () => void {
  const names = events.split(' ');
  for (const name of names) target.addEventListener(name, listener);
  return () => {
    for (const name of names) target.removeEventListener(name, listener);
  };
}

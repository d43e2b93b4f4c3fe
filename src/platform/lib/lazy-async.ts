/**
 * A value that is made at the first call and shared by all calls. A failure is the answer of the calls that wait for it; the
 * next call tries again.
 */
export function lazyAsync<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let making: Promise<Made> | undefined;
  return () => {
    making ??= make().catch((error) => {
      making = undefined;
      throw error;
    });
    return making;
  };
}

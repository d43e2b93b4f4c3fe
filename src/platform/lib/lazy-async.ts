/** A value made at the first call and shared by all calls. A failure fails the waiting calls; the next call retries. */
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

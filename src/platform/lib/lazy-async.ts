/** Makes a value at the first call and shares it. A failure rejects the waiting calls, and the next call retries. */
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

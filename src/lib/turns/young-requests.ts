/** A request is young for so long after its work began: most answers take less. */
export const YOUNG_MS = 30;

/** Requests that are being answered, by owner, each while it is young. Times are milliseconds of a clock that only moves on. */
export type YoungRequests = {
  /** Adds a request of the owner. The answer of the request calls the function that comes back, once or more. */
  add(owner: string, nowMs: number): () => void;
  /** The owners of the requests that are young now. */
  owners(nowMs: number): Iterable<string>;
};

export function createYoungRequests(): YoungRequests {
  /** In the order of their beginnings, so that the oldest comes first. */
  const requests = new Set<{ owner: string; endMs: number }>();
  const counts = new Map<string, number>();

  function leave(request: { owner: string; endMs: number }): void {
    if (!requests.delete(request)) return;
    const { owner } = request;
    const left = (counts.get(owner) ?? 1) - 1;
    if (left === 0) counts.delete(owner);
    else counts.set(owner, left);
  }

  return {
    add(owner, nowMs) {
      const request = { owner, endMs: nowMs + YOUNG_MS };
      requests.add(request);
      counts.set(owner, 1 + (counts.get(owner) ?? 0));
      return () => leave(request);
    },
    owners(nowMs) {
      for (const request of requests) {
        if (nowMs < request.endMs) break;
        leave(request);
      }
      return counts.keys();
    },
  };
}

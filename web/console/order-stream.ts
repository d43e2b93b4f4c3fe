/** Maximum silence of a live connection. The service writes at least a comment more often than that. */
const SILENCE_MS = 40_000;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 8000;
const NOT_SIGNED_IN = 401;

type StreamEvents = {
  event(name: string, data: string): void;
  open(): void;
  lost(): void;
  /** Called when the session, key or link no longer works; the stream has ended. */
  refused(): void;
};

export type OrderStream = { /** Reconnects at once, such as after a sleep. */ restart(): void; stop(): void };

/**
 * Follows server-sent events and reconnects until stopped. `EventSource` neither reports the comments that show a live
 * connection nor sends the header of a link.
 */
export function followStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  to: StreamEvents,
  silenceMs = SILENCE_MS,
): OrderStream {
  let current: AbortController | undefined;
  let waiting: number | undefined;
  let failures = 0;

  async function connect(): Promise<void> {
    window.clearTimeout(waiting);
    current?.abort();
    const mine = new AbortController();
    current = mine;
    const outcome = await read(mine).catch(() => 'lost' as const);
    if (current !== mine) return;
    if (outcome === 'refused') return to.refused();
    to.lost();
    failures += 1;
    // Random, so that the reconnections of all consoles are spread when the service restarts.
    const delayMs = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** failures) * (0.5 + Math.random() / 2);
    waiting = window.setTimeout(connect, delayMs);
  }

  async function read(mine: AbortController): Promise<'lost' | 'refused'> {
    let silence = window.setTimeout(() => mine.abort(), silenceMs);
    try {
      const answer = await fetch(url, { headers, cache: 'no-store', signal: mine.signal });
      if (answer.status === NOT_SIGNED_IN) return 'refused';
      if (!answer.ok || !answer.body) return 'lost';
      failures = 0;
      to.open();
      const take = eventParser(to.event);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        window.clearTimeout(silence);
        silence = window.setTimeout(() => mine.abort(), silenceMs);
        take(piece.value);
      }
      return 'lost';
    } finally {
      window.clearTimeout(silence);
    }
  }

  void connect();
  return {
    restart: () => void connect(),
    stop() {
      window.clearTimeout(waiting);
      const last = current;
      current = undefined;
      last?.abort();
    },
  };
}

/** Parses events from pieces of a stream (WHATWG HTML standard, section 9.2). The service ends lines with LF. */
function eventParser(tell: (name: string, data: string) => void): (piece: string) => void {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
      const fieldOf = (field: string) => fields.find(([, name]) => name === field)?.[2];
      const name = fieldOf('event');
      if (name !== undefined) tell(name, fieldOf('data') ?? '');
    }
  };
}

import assert from 'node:assert/strict';

export type StreamEvent = { id: string; event: string; data: string };

export type EventStream = {
  status: number;
  headers: Headers;
  /** The next event, skipping comments; undefined when the stream has ended. */
  next(): Promise<StreamEvent | undefined>;
  close(): void;
};

/** Reads server-sent events one at a time, like a browser. */
export async function openEventStream(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const abort = new AbortController();
  const reply = await fetch(url, { headers, signal: abort.signal });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let unread = '';
  return {
    status: reply.status,
    headers: reply.headers,
    close: () => abort.abort(),
    async next() {
      assert.ok(reader);
      for (;;) {
        const end = unread.indexOf('\n\n');
        if (end >= 0) {
          const block = unread.slice(0, end);
          unread = unread.slice(end + 2);
          const event = eventOf(block);
          if (event) return event;
          continue;
        }
        const { value, done } = await reader.read();
        if (done) return undefined;
        unread += value;
      }
    },
  };
}

function eventOf(block: string): StreamEvent | undefined {
  const lines = block.split('\n').map((line) => /^(id|event|data): (.*)$/s.exec(line));
  const fields = Object.fromEntries(lines.filter((line) => line !== null).map(([, name, value]) => [name, value]));
  return fields.data === undefined ? undefined : { id: fields.id ?? '', event: fields.event ?? '', data: fields.data };
}

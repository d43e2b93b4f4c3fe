import { type TUnsafe, Type } from 'typebox';

type Headers = Readonly<Record<string, object>>;

const TEXT = { type: 'string' };
/** The schema of bytes: OpenAPI 3.1 describes them by their content type alone. */
const BYTES = {};

/** Returns a non-JSON answer in the API description: its meaning, and all of its content types. */
export function contentAnswer(description: string, types: readonly string[]): TUnsafe<string | Buffer> {
  const contentSchema = (type: string) => (/^text\/|javascript|svg/.test(type) ? TEXT : BYTES);
  const content = Object.fromEntries(types.map((type) => [type, { schema: contentSchema(type) }]));
  return Type.Unsafe<string | Buffer>({ description, content });
}

/** Returns an error sent as a page to browsers and as a problem to programs (`prefersJson`). */
export function pageOrProblem(description: string): TUnsafe<string | Buffer> {
  return contentAnswer(`${description}: a page says so, or a problem where \`Accept\` puts JSON above HTML.`, [
    'text/html',
  ]);
}

/** Returns the description of a response without a body, such as 204 or 304. */
export function emptyAnswer(description: string, headers?: Headers): TUnsafe<undefined> {
  return Type.Unsafe<undefined>({ type: 'null', description, ...(headers ? { headers } : {}) });
}

type Answer = { description?: string; content?: object; headers?: object };

/** Merges answers: a shared status keeps both descriptions and content types. */
export function mergeAnswers(
  ours: Readonly<Record<string, object>>,
  more: Readonly<Record<string, object>>,
): Record<string, object> {
  const shared = Object.keys(more).filter((status) => Object.hasOwn(ours, status));
  const merged = shared.map((status) => [status, mergeAnswer(ours[status] ?? {}, more[status] ?? {})] as const);
  return { ...ours, ...more, ...Object.fromEntries(merged) };
}

function mergeAnswer(ours: Answer, more: Answer): Answer {
  const headers = { ...ours.headers, ...more.headers };
  return {
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    description: [ours.description, more.description].join('\n'),
    content: { ...ours.content, ...more.content },
  };
}

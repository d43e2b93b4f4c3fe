/** An error of the service, or a missing answer. `message` is a sentence for people. */
export class ApiError extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: string;
  constructor(message: string, status = 0, code = 'no_answer') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The texts of failures, and their effects. */
export type Failures = {
  offline: string;
  /** Why a request was refused. `detail` is the service's own sentence, in English. */
  refusal(status: number, code: string, detail?: string): string;
  /** Leads to the sign-in, because the session has ended. */
  leave(path: string): void;
};

type Call = Pick<RequestInit, 'method' | 'signal'> & {
  headers?: Readonly<Record<string, string>>;
  body?: object | undefined;
};

/** Sends a request of the console or the operator's view, and resolves to the response. Throws ApiError. */
export async function request(failures: Failures, url: string, { headers, body, ...init }: Call) {
  // The service detects a photo's format from its bytes.
  const type = body instanceof File ? 'image/jpeg' : 'application/json';
  const answer = await fetch(url, {
    ...init,
    headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': type }) },
    body: body instanceof File ? body : (JSON.stringify(body) ?? null),
    cache: 'no-store',
  }).catch(() => undefined);
  if (!answer) throw new ApiError(failures.offline);
  if (answer.status === 401) failures.leave(url);
  const content = await answer.json().catch(() => ({}));
  if (answer.ok) return content;
  const code = String(content.code);
  throw new ApiError(failures.refusal(answer.status, code, content.detail), answer.status, code);
}

export const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : undefined);

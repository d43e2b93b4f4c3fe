import { Refusal } from './errors.ts';

const PLAIN_NUMBER = /^-?(0|[1-9]\d*)$/;

/** Parses a request body; malformed JSON is `invalid_request`. An empty body counts as an empty object. */
export function parseJsonBody(text: string, { exactIntegers }: { exactIntegers: boolean }): unknown {
  if (text.trim() === '') return {};
  try {
    return exactIntegers ? JSON.parse(text, keepExactInteger) : JSON.parse(text);
  } catch {
    throw new Refusal('invalid_request', 'The body is not valid JSON.', {
      errors: [{ in: 'body', name: 'body', message: 'must be valid JSON' }],
    });
  }
}

/** A whole number beyond 2^53 arrives as its digits instead of a rounded neighbour. */
function keepExactInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  const exact = typeof value !== 'number' || Number.isSafeInteger(value) || !source || !PLAIN_NUMBER.test(source);
  return exact ? value : source;
}

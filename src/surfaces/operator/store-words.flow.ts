import type { Static, TSchema } from 'typebox';
import { readTerms, TermsChangesSchema } from '../../ordering/statements/terms.ts';
import { compileRequestPart, invalidRequest, unknownField } from '../../platform/http/request-schema.ts';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import { ChannelsBody } from './channel-changes.ts';

/**
 * A store's channels and terms in the words of feeds (docs/feed-format.md#channels-courier-terms). `off` removes a channel.
 */

const CHANNEL_WORDS = ['email', 'sms', 'webhook', 'printer', 'operator', 'print_at', 'encoding', 'auto_confirm'];
const TERM_WORDS = Object.keys(TermsChangesSchema.properties);

/** Refuses words that are none of these. */
function requireWords(given: JsonObject, words: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !words.includes(name));
  if (unknown.length > 0) throw invalidRequest(unknown.map((name) => unknownField('body', name)));
}

/** The request of `setStoreChannels`. */
export function channelsBodyOf(words: JsonObject): ChannelsBody {
  requireWords(words, CHANNEL_WORDS);
  const given = Object.entries(words).filter(([, value]) => value !== undefined && value !== null);
  const isOff = ([name, value]: readonly [string, unknown]) =>
    value === 'off' || (name === 'operator' && value === false);
  const set = given
    .filter((entry) => !isOff(entry))
    .map(([name, value]) => [
      name === 'auto_confirm' ? 'auto_confirm_minutes' : name,
      name === 'operator' && value === 'on' ? true : value,
    ]);
  const remove = given.filter(isOff).map(([name]) => name);
  return parsedBody(ChannelsBody, { ...Object.fromEntries(set), ...(remove.length > 0 && { remove }) });
}

/** The terms of a request of `setStoreTerms`. */
export function termsOf(words: JsonObject) {
  requireWords(words, TERM_WORDS);
  return readTerms(parsedBody(TermsChangesSchema, { ...words }));
}

/** Compiled once per schema: a feed has thousands of lines. */
const PARSERS = new WeakMap<TSchema, ReturnType<typeof compileRequestPart>>();

function parsedBody<Schema extends TSchema>(schema: Schema, body: object): Static<Schema> {
  const parse = PARSERS.get(schema) ?? compileRequestPart(schema, 'body');
  PARSERS.set(schema, parse);
  const parsed = parse(body);
  if ('error' in parsed) throw parsed.error;
  return parsed.value as Static<Schema>;
}

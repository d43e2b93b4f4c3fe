import { readPublicUrl } from 'doorstep/public-http';
import type { Static, TSchema } from 'typebox';
import { insertAction } from '../../access/sessions/actions.db.ts';
import { setStoreCourier } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { setChannels } from '../../fulfillment/store-channels/set-channels.flow.ts';
import { setStoreTerms } from '../../ordering/statements/store-terms.db.ts';
import { presentTerms, readTerms, TermsChangesSchema } from '../../ordering/statements/terms.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { compileRequestPart, invalidField, invalidRequest, unknownField } from '../../platform/http/request-schema.ts';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import type { SettingsPort } from '../../supply/imports/feed-settings.ts';
import type { LineFault } from '../../supply/stores/feed-fields.ts';
import type { FeedSettings } from '../../supply/stores/store.ts';
import { ChannelsBody, changedChannels, readChannelChanges } from './channel-changes.ts';

/* Sets channels, courier and terms that a feed brings as the commands do, with the same entries in the history. */

type Needs = {
  printers: readonly string[];
  polledPrinters: ReadonlyMap<string, string>;
  courierCompanies: readonly string[];
  /** Whether webhooks may call private addresses. */
  allowPrivate: boolean;
  /** Whom the history names. */
  by: string;
};

export function createFeedSettings(needs: Needs): SettingsPort {
  const { printers, polledPrinters, courierCompanies, allowPrivate, by } = needs;
  const channelsIn = (words: NonNullable<FeedSettings['channels']>) => {
    const changes = readChannelChanges(channelsBodyOf(words), { printers, polledPrinters });
    if (changes.polls) throw invalidField('body', 'printer', 'must be set by an operator, who gets its URL');
    const url = typeof changes.webhook === 'string' ? readPublicUrl(changes.webhook, allowPrivate) : undefined;
    if (url && 'refusal' in url) throw invalidField('body', 'webhook', url.refusal);
    return changes;
  };
  const isCourier = (courier: string) => courier === 'none' || courierCompanies.includes(courier);
  return {
    faultsOf: ({ channels, courier, terms }) => [
      ...(channels ? faultsIn('channels', () => channelsIn(channels)) : []),
      ...(courier === undefined || isCourier(courier)
        ? []
        : [{ path: 'courier', message: `expected none or one of ${courierCompanies.join(', ')}` }]),
      ...(terms ? faultsIn('terms', () => termsOf(terms)) : []),
    ],
    async apply(tx, storeId, { channels, courier, terms }, at) {
      const change = { at, sessionId: by, target: storeId };
      const record = (action: 'channels' | 'switches' | 'terms', details: object) =>
        insertAction(tx, { ...change, action: `store.set_${action}`, details: { ...details } });
      if (channels) {
        const changes = channelsIn(channels);
        await setChannels(tx, storeId, changes, at);
        await record('channels', changedChannels(changes));
      }
      if (courier !== undefined) {
        await setStoreCourier(tx, storeId, courier === 'none' ? undefined : courier, at);
        await record('switches', { courier });
      }
      if (terms) {
        const set = await setStoreTerms(tx, storeId, termsOf(terms), at);
        await record('terms', { ...presentTerms(set), reason: 'The feed changed them.' });
      }
    },
  };
}

function faultsIn(path: string, read: () => unknown): LineFault[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const faults = error.extras.errors ?? [];
    return faults.map(({ name, message }) => ({
      path: name === 'body' ? path : `${path}.${name.replace(/_minutes$/, '')}`,
      message: message.replace(/^must be/, 'expected'),
    }));
  }
}

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
function channelsBodyOf(words: JsonObject): ChannelsBody {
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
function termsOf(words: JsonObject) {
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

import { readPublicUrl } from 'doorstep/public-http';
import { insertAction } from '../../access/sessions/actions.db.ts';
import { setStoreCourier } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { setChannels } from '../../fulfillment/store-channels/set-channels.flow.ts';
import { setStoreTerms } from '../../ordering/statements/store-terms.db.ts';
import { presentTerms } from '../../ordering/statements/terms.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import type { SettingsPort } from '../../supply/imports/feed-settings.ts';
import type { LineFault } from '../../supply/stores/feed-fields.ts';
import type { FeedSettings } from '../../supply/stores/store.ts';
import { changedChannels, readChannelChanges } from './channel-changes.ts';
import { channelsBodyOf, termsOf } from './store-words.flow.ts';

type Needs = {
  printers: readonly string[];
  polledPrinters: ReadonlyMap<string, string>;
  courierCompanies: readonly string[];
  /** Whether webhooks may call private addresses. */
  allowPrivate: boolean;
  /** Whom the history names. */
  by: string;
};

/** Sets channels, courier and terms that a feed brings as the commands do, with the same entries in the history. */
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

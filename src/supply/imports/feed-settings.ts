import type { Sql } from '../../platform/db/connect.ts';
import type { LineFault } from '../stores/feed-fields.ts';
import type { FeedSettings } from '../stores/store.ts';

/** Port to the layers above, which validate and apply a feed's channels, courier and terms. */
export type SettingsPort = {
  faultsOf(settings: FeedSettings): LineFault[];
  /** Applies the feed's changes, in the import's transaction. */
  apply(tx: Sql, storeId: string, changed: FeedSettings, at: Temporal.Instant): Promise<void>;
};

/** Values that differ from the feed's last ones. The others keep manual changes. */
export function changedSettings(before: FeedSettings, { channels, courier, terms }: FeedSettings): FeedSettings {
  const changed = (given: object = {}, known: Readonly<Record<string, unknown>> = {}) =>
    Object.fromEntries(
      Object.entries(given).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name])),
    );
  const newChannels = changed(channels, before.channels);
  // An address is applied together with its printer.
  if ('print_at' in newChannels || 'encoding' in newChannels) newChannels.printer = channels?.printer;
  return {
    ...(Object.keys(newChannels).length > 0 && { channels: newChannels }),
    ...(courier !== undefined && courier !== before.courier && { courier }),
    ...(Object.keys(changed(terms, before.terms)).length > 0 && { terms: changed(terms, before.terms) }),
  };
}

import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { STORE_CHANNELS } from '../offers/store-channel.ts';
import { listChannels } from '../offers/store-channels.db.ts';
import { refuseSandbox } from './merchant.ts';

const ChannelSchema = Type.Object({
  channel: Type.Enum([...STORE_CHANNELS]),
  state: Type.Enum(['working', 'failing']),
  failing_since: Type.Union([Type.String(), Type.Null()], { description: 'Null while it works.' }),
  last_error: Type.Union([Type.String(), Type.Null()], { description: 'Why the last attempt failed.' }),
});
const schema = {
  operationId: 'listStoreChannels',
  tags: ['Store'],
  summary: 'How the store receives its orders, and whether that works',
  description:
    'A channel fails from its first failed attempt until an attempt succeeds. A sandbox store key or session is refused.',
  response: {
    200: Type.Object({ channels: Type.Array(ChannelSchema) }, { description: 'Without targets and secrets.' }),
  },
};
const config = { audience: 'store', refuses: ['live_only'] } as const;

/** GET /store/channels: a console shows a printer that is off. */
export function listChannelsRoute(http: Http, { db }: { db: Db }): void {
  http.get('/store/channels', { schema, config }, async ({ merchant }) => {
    refuseSandbox(merchant);
    const channels = await listChannels(db, merchant.storeId);
    return {
      channels: channels.map(({ channel, failingSince, lastError }) => ({
        channel,
        state: failingSince === null ? ('working' as const) : ('failing' as const),
        failing_since: failingSince?.toString() ?? null,
        last_error: lastError,
      })),
    };
  });
}

import { sha256 } from '../src/lib/sha256.ts';
import { storeLinkOf } from '../src/offers/store-notice.ts';
import { saveLinkHash } from '../src/offers/store-notices.db.ts';
import type { App } from './harness.ts';

/** The secret of the link that the store's e-mail of an offer has, which was queued and need not have been sent. */
export async function givenStoreLink({ service }: Pick<App, 'service'>, orderId: string): Promise<string> {
  const { db, tokens } = service.deps;
  const offer = { orderId, channel: 'email', kind: 'offered', copy: 0 } as const;
  const link = storeLinkOf(tokens, offer);
  await saveLinkHash(db, offer, sha256(link));
  return link;
}

import type { PublicHttp } from 'doorstep/public-http';
import { Type } from 'typebox';
import { AGENT_ORDERS } from '../../access/accounts/account.ts';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { operation } from '../../access/operations/operation.ts';
import type { Db } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { AccountParams, accountNotFound } from '../operator/accounts.route.ts';
import { KEY_MODES } from '../operator/field-schemas.ts';
import { bindPlatform, unbindPlatform } from './platforms.db.ts';

const ORDERS = [...AGENT_ORDERS, 'off'] as const;

export const bindUcpPlatformOperation = operation({
  name: 'bindUcpPlatform',
  endpoint: 'POST /accounts/:account_id/ucp-platforms',
  refuses: ['not_found'],
  summary: 'Let a UCP platform order for an account',
  description:
    'The account requires a URL for its terms and one for its privacy policy, which every cart links. A platform is connected to one account and key mode. Connecting it again replaces the connection.',
  params: AccountParams,
  body: Type.Object({
    profile_url: Type.String({ minLength: 1, maxLength: 2048, description: "The platform's profile URL." }),
    mode: Type.Enum([...KEY_MODES], { description: 'Whether its orders are real.' }),
    orders: Type.Optional(
      Type.Enum([...ORDERS], {
        description:
          '`handover`, the default: a person finishes each order on the hosted checkout. `place`: the platform places orders with tokens from the card gateway. `off`: the platform is disconnected.',
      }),
    ),
  }),
  answer: Type.Object(
    { profile_url: Type.String(), account_id: Type.String(), orders: Type.Enum([...ORDERS]) },
    { description: 'Every node knows it at once.' },
  ),
  on: { operator: { command: 'ucp bind <account_id>', role: 'admin' } },
}).run(async (needs: { db: Db; publicHttp: PublicHttp }, { save, params: { account_id: accountId }, body }) => {
  const { profile_url: profileUrl, mode, orders = 'handover' } = body;
  if (!(await findAccount(needs.db, accountId))) throw accountNotFound();
  if (orders !== 'off') {
    // Profiles are read by these rules, so a platform at another address could never order.
    if ('refusal' in (await needs.publicHttp.checkUrl(profileUrl))) throw notAnAddress();
    await requireTerms(needs.db, accountId);
  }
  await save(
    async (tx, at) => {
      if (orders !== 'off') return bindPlatform(tx, { profileUrl, accountId, mode, orders }, at);
      if (await unbindPlatform(tx, { profileUrl, accountId })) return;
      throw new Refusal('not_found', 'This account has no such platform.');
    },
    () => ({ action: 'ucp_platform.bind', target: accountId, details: { profile_url: profileUrl, mode, orders } }),
  );
  return { profile_url: profileUrl, account_id: accountId, orders };
});

const notAnAddress = () =>
  invalidRequest([{ in: 'body', name: 'profile_url', message: 'must be an https URL on a public host' }]);

/** Refuses to bind a platform to an account whose carts could not link its terms and its privacy policy. */
async function requireTerms(db: Db, accountId: string): Promise<void> {
  const { termsUrl, privacyUrl } = await findBranding(db, accountId);
  if (termsUrl !== null && privacyUrl !== null) return;
  const message = 'needs an account with the URLs of its terms and its privacy policy; set both in its branding first';
  throw invalidRequest([{ in: 'body', name: 'orders', message }]);
}

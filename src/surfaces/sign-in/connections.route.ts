import { countPlacings } from '../../access/customers/agent-actions.db.ts';
import { listGrants, revokeGrants } from '../../access/customers/grants.db.ts';
import type { Http } from '../../platform/http/http.ts';
import { connectionsPage } from './sign-in.page.ts';
import { type SignInDeps, signInForm } from './sign-in-form.route.ts';

/** GET and POST /connections: the programs that a customer has allowed to act, and the end of each. */
export function connectionRoutes(http: Http, deps: SignInDeps): void {
  const { db, clock } = deps;
  signInForm(http, deps, {
    path: '/connections',
    query: {},
    shows: {
      operationId: 'readConnections',
      summary: "Open the page of a customer's connected apps",
      description:
        "Available at an account's custom domain if its shop is on. A browser without a session signs in first.",
    },
    takes: {
      operationId: 'submitConnectionsForm',
      summary: 'Submit a sign-in step, or disconnect an app',
      description: "The page's forms send this request. Disconnecting an app immediately revokes its tokens.",
      example: { body: { csrf: '{csrf}', step: 'disconnect', grant_id: '{grant_id}' } },
      next: 'Redirects to the page.',
    },
    prepare: async () => ({ targets: [] }),
    async show({ page, customer }) {
      const grants = await listGrants(db, customer);
      const placed = await countPlacings(
        db,
        grants.map(({ grantId }) => grantId),
      );
      return { html: connectionsPage(page, customer, grants, placed) };
    },
    async take({ customer, address }, { step, grant_id: grantId = '' }) {
      const isOwn = (await listGrants(db, customer)).some((grant) => grant.grantId === grantId);
      if (step === 'disconnect' && isOwn) await revokeGrants(db, { grantId }, clock.now());
      return { location: address };
    },
  });
}

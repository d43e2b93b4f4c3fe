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
      summary: 'The page on which a customer sees what is connected',
      description: 'At the own host of an account whose shop is on; a browser without a session signs in first.',
    },
    takes: {
      operationId: 'submitConnectionsForm',
      summary: 'What the forms of that page send: a step of the sign-in, or a connection to end',
      description: 'A connection that ends takes its tokens with it at once.',
      example: { body: { csrf: '{csrf}', step: 'disconnect', grant_id: '{grant_id}' } },
      next: 'To the page.',
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

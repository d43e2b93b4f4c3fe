import type { PublicHttp } from 'doorstep/public-http';
import { OutsideDocuments, UsedAssertions } from '../../access/customers/outside-documents.cache.ts';
import type { Http } from '../../platform/http/http.ts';
import { authorizeRoutes } from './authorize.route.ts';
import { connectionRoutes } from './connections.route.ts';
import { customerRoutes } from './customers.route.ts';
import { metadataRoutes } from './metadata.route.ts';
import { profileRoutes } from './profile.route.ts';
import type { SignInDeps } from './sign-in-form.route.ts';
import { type ProgramDeps, programRoutes } from './token.route.ts';

type RoomDeps = SignInDeps &
  Parameters<typeof profileRoutes>[1] &
  Omit<ProgramDeps, 'documents' | 'assertions'> & { publicHttp: PublicHttp };

/** The sign-in of customers at their account's own host (docs/sign-in.md). */
export function signInRoutes(http: Http, deps: RoomDeps): void {
  const own = { ...deps, documents: new OutsideDocuments(deps), assertions: new UsedAssertions() };
  metadataRoutes(http, own);
  authorizeRoutes(http, own);
  programRoutes(http, own);
  connectionRoutes(http, own);
  profileRoutes(http, own);
  customerRoutes(http, own);
}

import { Type } from 'typebox';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { named } from '../http/api-components.ts';
import { pageSecurity } from '../http/security-headers.ts';
import type { Clock } from '../lib/clock.ts';
import type { TokenSealer } from '../lib/tokens.ts';

export type DriverDeps = { config: Config; clock: Clock; db: Db; tokens: TokenSealer };

/** The link's token is the permission: no route of the driver's page takes a key. */
export const LinkParams = Type.Object({ token: Type.String({ description: 'Of the driver’s link.' }) });

export const driverSecurity = ({ baseUrl }: Pick<Config, 'baseUrl'>) => pageSecurity(baseUrl);

const markup = Type.String({ description: 'A fragment of the page.' });

export const DriverStateSchema = Type.Object(
  {
    stage: Type.Enum(['assigned', 'accepted', 'picked_up', 'nearby', 'delivered'], {
      description: 'How far the delivery is.',
    }),
    parts: Type.Object(
      { now: markup, stops: markup, proof: markup, behind: markup, action: markup },
      { description: 'The parts of the page that change, by the ids of their elements.' },
    ),
  },
  named('DriverState', 'A delivery as the driver’s page shows it.'),
);

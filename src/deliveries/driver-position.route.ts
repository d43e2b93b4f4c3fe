import { Type } from 'typebox';
import { emptyAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';
import { EXAMPLE_DOOR } from '../stores/example-store.ts';
import { linkNotFound, linkOf } from './driver-delivery.flow.ts';
import { limitLink } from './driver-link.ts';
import { MAX_ACCURACY_METRES, MAX_AGE_SECONDS } from './driver-location.ts';
import { type DriverDeps, driverSecurity, LinkParams } from './driver-schema.ts';
import { createPositionReports } from './report-position.flow.ts';

/** A phone reports every two to five seconds, and once more after each dead spot. */
export const POSITIONS_PER_MINUTE = 120;

const schema = {
  operationId: 'reportPosition',
  tags: ['Drivers'],
  summary: "Where the driver's phone is",
  description: `Moves \`tracking\`, the tracking page and the time of arrival. Within 500 metres of the door, after pick-up, it is \`order.driver_nearby\`, once. A phone reports every two to five seconds; ${POSITIONS_PER_MINUTE} reports a minute are taken.`,
  example: { body: { ...EXAMPLE_DOOR, course: 90, accuracy: 8, age_seconds: 1 } },
  params: LinkParams,
  body: Type.Object({
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    course: Type.Optional(Type.Number({ minimum: 0, maximum: 360, description: 'Degrees from north.' })),
    accuracy: Type.Optional(
      Type.Number({ minimum: 0, description: `Metres. A position above ${MAX_ACCURACY_METRES} is ignored.` }),
    ),
    age_seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        description: `Since the phone measured it. A position older than ${MAX_AGE_SECONDS} seconds is ignored.`,
      }),
    ),
  }),
  response: {
    200: Type.Object(
      { stage: Type.Enum(['assigned', 'picked_up', 'nearby'], { description: 'How far the delivery is.' }) },
      { description: 'The position is taken.' },
    ),
    204: emptyAnswer('The position is ignored: too vague, too old, or an impossible jump.'),
  },
};

const config = {
  public: true,
  refuses: ['order_not_found', 'rate_limited', 'not_ready', 'body_too_large', 'unsupported_media_type'],
} as const;
const BODY_LIMIT_BYTES = 4096;

/** POST /driver/{token}/position. */
export function driverPositionRoute(http: Http, deps: DriverDeps): void {
  const count = limitLink(POSITIONS_PER_MINUTE, deps.clock);
  const reportPosition = createPositionReports(deps);
  http.post(
    '/driver/:token/position',
    { schema, config, bodyLimit: BODY_LIMIT_BYTES, helmet: driverSecurity(deps.config) },
    async ({ params, body }, reply) => {
      count(params.token);
      const { age_seconds: ageSeconds, course, ...position } = body;
      const report = { ...position, ageSeconds, course: course === undefined ? undefined : Math.round(course) % 360 };
      const reported = await reportPosition({ ...linkOf(deps.tokens, params.token), report });
      if (reported.became === 'dead') throw linkNotFound();
      if (reported.became === 'ignored') return reply.code(204).send(undefined);
      return { stage: reported.stage };
    },
  );
}

import { Type } from 'typebox';
import type { Http } from '../http/http.ts';
import { EXAMPLE_DOOR } from '../stores/example-store.ts';
import { linkOf } from './driver-delivery.flow.ts';
import { CALLS_PER_MINUTE, limitLink } from './driver-link.ts';
import { type DriverDeps, DriverStateSchema, driverSecurity, LinkParams } from './driver-schema.ts';
import { type DriverStep, takeDriverStep } from './driver-step.flow.ts';
import { driverState } from './driver-view.ts';
import { mapAppOf } from './map-link.ts';
import { findProof } from './proofs.db.ts';

const StepBody = Type.Object(
  {
    latitude: Type.Optional(
      Type.Number({ minimum: -90, maximum: 90, description: 'Where the phone is, beside `longitude`.' }),
    ),
    longitude: Type.Optional(
      Type.Number({ minimum: -180, maximum: 180, description: 'Where the phone is, beside `latitude`.' }),
    ),
    id_checked: Type.Optional(
      Type.Boolean({ description: 'With `complete`: the driver has seen an ID. Needed for an order with alcohol.' }),
    ),
  },
  { dependentRequired: { latitude: ['longitude'], longitude: ['latitude'] } },
);

const STEPS: Readonly<Record<DriverStep, { operationId: string; summary: string }>> = {
  accept: { operationId: 'acceptDelivery', summary: 'The driver accepts the delivery' },
  pick_up: { operationId: 'pickUpDelivery', summary: 'The driver has picked the order up' },
  complete: { operationId: 'completeDelivery', summary: 'The driver has delivered the order' },
};

const REFUSES = [
  'order_not_found',
  'transition_not_allowed',
  'rate_limited',
  'not_ready',
  'body_too_large',
  'unsupported_media_type',
] as const;

/** POST /driver/{token}/accept, /pick_up and /complete. A repeated step answers 200 and changes nothing. */
export function driverStepsRoutes(http: Http, deps: DriverDeps): void {
  const count = limitLink(CALLS_PER_MINUTE, deps.clock);
  for (const step of ['accept', 'pick_up', 'complete'] as const) {
    const schema = {
      ...STEPS[step],
      tags: ['Drivers'],
      description: 'A step that is done answers 200 and changes nothing. The link is the permission.',
      example: { body: EXAMPLE_DOOR },
      params: LinkParams,
      body: StepBody,
      response: { 200: DriverStateSchema },
    };
    const refuses = step === 'complete' ? ([...REFUSES, 'id_check_required'] as const) : REFUSES;
    http.post(
      `/driver/:token/${step}`,
      { schema, config: { public: true, refuses }, helmet: driverSecurity(deps.config) },
      async ({ params, body, headers }) => {
        count(params.token);
        const { latitude, longitude, id_checked: idChecked } = body;
        const position = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
        const order = await takeDriverStep(deps, linkOf(deps.tokens, params.token), step, { position, idChecked });
        const proof = await findProof(deps.db, order.orderId);
        return driverState({ order, proof }, mapAppOf(headers['user-agent']));
      },
    );
  }
}

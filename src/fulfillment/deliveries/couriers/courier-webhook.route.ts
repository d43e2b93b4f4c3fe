import { Type } from 'typebox';
import type { Http } from '../../../platform/http/http.ts';
import { rawBodyOf } from '../../../platform/http/raw-body.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import type { ReportLeftOut } from '../../../platform/lib/left-out.ts';
import { type ReportDeps, receiveCourierReport } from './apply-report.flow.ts';
import type { Couriers } from './courier-gateway.ts';

const schema = {
  operationId: 'receiveCourierReport',
  summary: "Receive a courier company's report",
  description:
    "Receives each status and courier position of a live order's delivery from the company in the path. A request without that company's signature or authorization is refused and changes nothing. A report about an unknown delivery is accepted and ignored.",
  example: { path: { courier: 'uber_direct' } },
  params: Type.Object({
    courier: Type.String({ maxLength: 64, description: 'The name in `stores courier`, such as `uber_direct`.' }),
  }),
  response: {
    200: Type.Object({ received: Type.Literal(true) }, { description: 'The report was applied or adds nothing.' }),
  },
};

/** POST /couriers/{courier}/webhook receives a courier company's report on a delivery. */
export function courierWebhookRoute(
  http: Http,
  deps: ReportDeps & { couriers: Couriers; reportLeftOut: ReportLeftOut },
): void {
  http.post(
    '/couriers/:courier/webhook',
    { schema, config: { public: true, uncounted: true, rawBody: true, refuses: ['route_not_found', 'not_ready'] } },
    async (request) => {
      const { courier } = request.params;
      const gateway = deps.couriers.get(courier);
      if (!gateway) throw new Refusal('route_not_found', 'This service has no such courier company.');
      const reading = gateway.readReport(request.headers, rawBodyOf(request));
      if (reading.kind === 'forged') {
        throw new Refusal(
          'invalid_request',
          "The signature or authorization doesn't belong to the company in the path.",
        );
      }
      if (reading.kind === 'report') await receiveCourierReport(deps, courier, reading.report);
      if (reading.kind === 'unreadable')
        deps.reportLeftOut('courier_report', 'reports of couriers could not be read', { courier });
      return { received: true as const };
    },
  );
}

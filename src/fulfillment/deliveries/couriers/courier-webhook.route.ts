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
    'For the couriers of live orders: the company that is named in the path calls it with each state of a delivery and each position of its courier. A call that is not signed or authorized by that company is refused and changes nothing; a call about a delivery that is not known here is taken and changes nothing.',
  example: { path: { courier: 'uber_direct' } },
  params: Type.Object({
    courier: Type.String({ maxLength: 64, description: 'The company, as `stores courier` names it: `uber_direct`.' }),
  }),
  response: {
    200: Type.Object({ received: Type.Literal(true) }, { description: 'The report is applied, or says nothing new.' }),
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
      if (!gateway) throw new Refusal('route_not_found', 'There are no such couriers here.');
      const reading = gateway.readReport(request.headers, rawBodyOf(request));
      if (reading.kind === 'forged') {
        throw new Refusal(
          'invalid_request',
          'The signature or the authorization is not that of the couriers named in the path.',
        );
      }
      if (reading.kind === 'report') await receiveCourierReport(deps, courier, reading.report);
      if (reading.kind === 'unreadable')
        deps.reportLeftOut('courier_report', 'reports of couriers could not be read', { courier });
      return { received: true as const };
    },
  );
}

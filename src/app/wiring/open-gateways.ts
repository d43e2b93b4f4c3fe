import type { Gateways } from '../../ordering/payments/payment-gateway.ts';
import { GATEWAY, NOTICES } from '../adapters/guard-port.ts';
import { createSandboxGateway } from '../adapters/payments/sandbox.ts';
import type { Connections } from './open-connections.ts';
import { guarded, openNamed } from './open-plugins.ts';
import type { ServiceOptions } from './service-options.ts';

/** Opens the gateway of each key mode; `gatewayDb` has the sandbox gateway's connections. */
export async function openGateways(
  options: Pick<ServiceOptions, 'config' | 'clock' | 'partyUrls'>,
  gatewayDb: Connections['gatewayDb'],
): Promise<Gateways> {
  const { config, clock } = options;
  const sandbox = createSandboxGateway({ db: gatewayDb, clock, pagesUrl: config.baseUrl });
  const name = config.paymentGateway ?? '';
  const live = await openNamed(options, ({ gateways }) => gateways, config.paymentGateway);
  return {
    sandbox,
    live: live && guarded('payment gateway', name, live.gateway, GATEWAY),
    notices: live?.notices && guarded('payment gateway', name, live.notices, NOTICES),
  };
}

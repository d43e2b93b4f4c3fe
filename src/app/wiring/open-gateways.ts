import type { Gateways, PaymentKind } from '../../ordering/payments/payment-gateway.ts';
import { ConfigError } from '../../platform/config/config.ts';
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
  const methods = methodsOf(live?.gateway.methods, name);
  return {
    sandbox: { ...sandbox, methods },
    live: live && guarded('payment gateway', name, live.gateway, GATEWAY),
    notices: live?.notices && guarded('payment gateway', name, live.notices, NOTICES),
  };
}

const KINDS: readonly unknown[] = ['card', 'cash'] satisfies PaymentKind[];

function methodsOf(methods: readonly PaymentKind[] = ['card'], name: string): readonly PaymentKind[] {
  if (Array.isArray(methods) && methods.length > 0 && methods.every((kind) => KINDS.includes(kind))) return methods;
  throw new ConfigError([`The methods of the payment gateway ${name} must be a list of card and cash.`]);
}

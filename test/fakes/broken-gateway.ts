import type { SandboxGateway } from '../../src/payments/payment-gateway.ts';
import type { App } from '../harness.ts';

/** What a gateway does differently while it is broken; `real` is the gateway that works. */
export type Breakage = (real: SandboxGateway) => Partial<SandboxGateway>;

/** Runs the work while the sandbox gateway of the application is broken, and mends it however that ends. */
export async function withBrokenGateway<T>(app: App, breakage: Breakage, work: () => Promise<T>): Promise<T> {
  const { gateways } = app.service.deps;
  const real = gateways.sandbox;
  gateways.sandbox = { ...real, ...breakage(real) };
  try {
    return await work();
  } finally {
    gateways.sandbox = real;
  }
}

/** The process dies at this point, as far as an order can tell: nothing after it happens. */
export class Killed extends Error {}

export const killedBeforeCharging: Breakage = () => ({
  charge: async () => {
    throw new Killed();
  },
});

export const killedAfterCharging: Breakage = (real) => ({
  charge: async (request) => {
    await real.charge(request);
    throw new Killed();
  },
});

/** A gateway that charges when it is let go. */
export function heldGateway(app: App) {
  const { gateways } = app.service.deps;
  const real = gateways.sandbox;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  gateways.sandbox = {
    ...real,
    charge: async (request) => {
      reach();
      await held;
      return real.charge(request);
    },
  };
  return {
    letGo,
    reached,
    mend: () => {
      gateways.sandbox = real;
    },
  };
}

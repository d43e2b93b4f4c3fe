import type { SandboxGateway } from '../../src/ordering/payments/payment-gateway.ts';
import type { App } from '../harness.ts';

/** The overridden methods of a broken gateway; `real` is the working one. */
export type Breakage = (real: SandboxGateway) => Partial<SandboxGateway>;

/** Runs the work while the application's sandbox gateway is broken, then restores it. */
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

/** Simulates a process crash at this point: no later statement of the order runs. */
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

/** A gateway that blocks every charge until released. */
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
    fix: () => {
      gateways.sandbox = real;
    },
  };
}

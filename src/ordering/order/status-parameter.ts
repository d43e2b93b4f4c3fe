import { Type } from 'typebox';
import type { OrderStatus } from './order.ts';

/** Returns a parameter that filters orders by some of these statuses, comma-separated. */
export function statusParameter(statuses: readonly OrderStatus[], note = '') {
  const names = statuses.join(', ');
  return Type.Optional(
    Type.Refine(
      Type.String({ maxLength: 200, description: `Comma-separated: ${names}. ${note}`.trim() }),
      (list) => parseStatuses(list).every((status) => statuses.includes(status)),
      () => `must be a comma-separated list of ${names}`,
    ),
  );
}

/** Parses the statuses in such a parameter, already validated. */
export function parseStatuses(list: string): OrderStatus[] {
  return list.split(',').map((status) => status.trim()) as OrderStatus[];
}

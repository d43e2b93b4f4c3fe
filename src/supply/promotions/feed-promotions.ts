import { Type } from 'typebox';
import { unknownFaults } from '../../platform/http/unknown-members.ts';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import { asObject, FEED_LIMITS, type FeedObject, type LineFault, type LineReport } from '../stores/feed-fields.ts';
import { PROMOTION_BODY, PROMOTION_LIMITS, readPromotion } from './promotion-shape.ts';

/** The `promotions` of a store line (docs/feed-format.md#promotions). */

/** A promotion of a line; `body` is null if it is faulty: then one with its id stays as it is. */
export type FeedPromotion = { externalId: string; path: string; body: JsonObject | null };

const FEED_PROMOTION = Type.Object({ id: Type.String(), ...PROMOTION_BODY });

/** Reads the promotions of a line. A faulty one is left out with a warning, and does not reject the store. */
export function readFeedPromotions(from: FeedObject): readonly FeedPromotion[] {
  const seen = new Set<string>();
  return from.list('promotions', PROMOTION_LIMITS.open.store).flatMap(({ value, path }, nth) => {
    const report: LineReport = { faults: [], warnings: [] };
    const own = asObject(value, report, path);
    if (!own) {
      from.report.warnings.push(...report.faults.map(leftOut));
      return [];
    }
    const externalId = own.requireText('id', FEED_LIMITS.idCharacters);
    if (seen.has(externalId)) own.fault('id', 'expected unique within the store');
    readPromotion(own, 'store');
    for (const { name, message } of unknownFaults(own.fields, FEED_PROMOTION)) own.fault(name, message);
    from.report.warnings.push(...report.faults.map(leftOut));
    if (externalId === '' || seen.has(externalId)) return [];
    seen.add(externalId);
    return [{ externalId, path: `promotions[${nth}]`, body: report.faults.length === 0 ? own.fields : null }];
  });
}

export const leftOut = ({ path, message }: LineFault): LineFault => ({ path, message: `${message}; left out` });

import { HTTP_REFUSALS, type RefusalRecords, refusalRecords } from '../../platform/http/refusal.ts';
import { UCP_REFUSALS } from '../../surfaces/ucp/refusals.ts';
import { SERVICE_REFUSALS } from '../../texts/refusals.ts';

/** All errors. A code that is missing from these declarations is a type error. */
export const REFUSALS: RefusalRecords = refusalRecords(HTTP_REFUSALS, SERVICE_REFUSALS, UCP_REFUSALS);

import type { WorkLimits } from '../jobs/owner-limiter.ts';

/** Webhook calls of one node: a hanging endpoint delays only its own calls, and all hanging endpoints leave half of the calls. */
export const CALL_LIMITS: WorkLimits = { max: 250, perOwner: 25, first: 4, slowMs: 2000, maxSlow: 125 };

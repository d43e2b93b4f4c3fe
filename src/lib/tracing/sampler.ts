/** The samplers of OTEL_TRACES_SAMPLER that need no other service. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** `ratio`: the share of traces that a sampler by ratio records, from 0 to 1. */
export type SamplerSettings = { name: (typeof SAMPLERS)[number]; ratio: number };

/** Whether the spans of a trace are recorded; `parentSampled` is the decision of the span above, undefined for none. */
export type Sampler = (traceId: string, parentSampled: boolean | undefined) => boolean;

const PARENT_BASED = 'parentbased_';
/** The last 7 bytes of a trace id are random (W3C Trace Context Level 2, section 3.2.2.3); 4 of them divide finely enough. */
const RANDOM_DIGITS = 8;
const RANDOM_RANGE = 2 ** 32;

/** The sampler decides by the trace id alone, so that every process decides a trace alike. */
export function createSampler({ name, ratio }: SamplerSettings): Sampler {
  const followsParent = name.startsWith(PARENT_BASED);
  const share = shareOf(followsParent ? name.slice(PARENT_BASED.length) : name, ratio);
  const isAmong = (traceId: string) => Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) < share * RANDOM_RANGE;
  return (traceId, parentSampled) => (followsParent ? (parentSampled ?? isAmong(traceId)) : isAmong(traceId));
}

function shareOf(name: string, ratio: number): number {
  if (name === 'always_on') return 1;
  return name === 'always_off' ? 0 : ratio;
}

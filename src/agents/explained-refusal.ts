import { Refusal } from '../http/refusal.ts';
import type { ToolData } from './tool.ts';

/** The member of a refusal that the answers of tools alone show. */
const EXPLANATION = 'explanation';

/** A refusal with members that help a model to correct its call. */
export function explained(refusal: Refusal, explanation: ToolData): Refusal {
  const { extras } = refusal;
  return new Refusal(refusal.code, refusal.message, {
    ...extras,
    members: { ...extras.members, [EXPLANATION]: explanation },
  });
}

export function explanationIn({ extras }: Refusal): ToolData {
  return (extras.members?.[EXPLANATION] ?? {}) as ToolData;
}

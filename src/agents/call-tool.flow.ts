import type { Logger } from 'pino';
import type { Caller } from '../accounts/account.ts';
import { idsOfRequest } from '../http/ids-of-request.ts';
import { refusalOf } from '../http/map-errors.ts';
import type { Metrics } from '../lib/metrics.ts';
import { explanationIn } from './explained-refusal.ts';
import { brokenAnswer, refusedAnswer, shortAnswer } from './refused-answer.ts';
import type { Tool } from './tool.ts';
import { firstWithinBound, resultOf, type ToolResult } from './tool-answer.ts';

/** Who calls a tool, in which request. */
export type ToolCaller = { caller: Caller; requestId: string };

type Needs = { log: Logger; metrics: Pick<Metrics, 'countProblem'> };

/**
 * Runs a tool. A refusal is a result that a model can act on (docs/behaviour.md#tools-and-their-answers); an unknown error
 * is a fault of the service: logged, and answered with nothing of its inside.
 */
export async function callTool(
  { log, metrics }: Needs,
  tool: Tool,
  { caller, requestId }: ToolCaller,
  given: unknown,
): Promise<ToolResult> {
  const seen = { requestId, tool: tool.name, ...idsOfRequest({ caller, body: given }) };
  try {
    const result = resultOf(await tool.run(caller, given), false);
    log.info(seen, 'tool answered');
    return result;
  } catch (error) {
    const refusal = refusalOf(error as Error & { code: string }, 0);
    const code = refusal?.code ?? 'internal_error';
    metrics.countProblem(code, caller.mode);
    if (!refusal) {
      log.error({ err: error, ...seen }, 'tool failed');
      return resultOf(brokenAnswer(requestId), true);
    }
    log.info({ code, ...seen }, 'tool refused');
    const whole = () => refusedAnswer(refusal, explanationIn(refusal));
    const plain = () => refusedAnswer(refusal, {});
    return resultOf(
      firstWithinBound(whole, plain, () => shortAnswer(refusal)),
      true,
    );
  }
}

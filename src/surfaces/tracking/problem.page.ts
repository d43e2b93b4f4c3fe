import { html } from 'doorstep/html';
import { PROBLEM_REASONS, type ProblemReport } from '../../notify/messages/message.ts';
import { formField } from '../../platform/lib/form-field.ts';
import type { TrackedOrder, Visitor } from './tracked-order.ts';
import { type Frame, formDocument, linkFields } from './tracking.page.ts';

/** The form where a customer reports a problem with an order: its fields, how they are read, and its page. */

export const MAX_PROBLEM_LENGTH = 1000;

export type SentProblem = { reason?: string | undefined; text?: string | undefined };
export type ProblemFault = 'noReason' | 'noText' | 'tooLong';

/** Parses the form into a report or its errors. Browsers send a line break as two characters; it counts as one. */
export function readProblem(sent: SentProblem): ProblemReport | { faults: ProblemFault[] } {
  const reason = PROBLEM_REASONS.find((one) => one === sent.reason);
  const text = (sent.text ?? '').replaceAll(/\r\n?/g, '\n').trim();
  const faults: ProblemFault[] = [
    ...(reason === undefined ? (['noReason'] as const) : []),
    ...(text === '' ? (['noText'] as const) : []),
    ...(text.length > MAX_PROBLEM_LENGTH ? (['tooLong'] as const) : []),
  ];
  return reason === undefined || faults.length > 0 ? { faults } : { reason, text };
}

export function problemPage(
  frame: Frame,
  tracked: TrackedOrder,
  visitor: Visitor,
  { typed = {}, faults = [] }: { typed?: SentProblem; faults?: readonly ProblemFault[] } = {},
): string {
  const { words, format } = frame.locale;
  const { problem, notes } = words.customer;
  const max = format.number(MAX_PROBLEM_LENGTH);
  const textFault = faults.includes('tooLong') ? notes.tooLong({ max }) : faults.includes('noText') && problem.noText;
  const body = html`<p class="detail">${problem.lead({ brand: frame.brand.name })}</p>
<form method="post" action="${frame.pagePath}/problem">
${linkFields(tracked, visitor)}
${formField(
  { id: 'reason', label: problem.reason, fault: faults.includes('noReason') && problem.noReason },
  (aria) => html`<select id="reason" name="reason" required${aria}>
<option value="">${problem.choose}</option>
${PROBLEM_REASONS.map((reason) => html`<option value="${reason}"${reason === typed.reason && html` selected`}>${problem.reasons[reason]}</option>`)}
</select>`,
)}
${formField(
  { id: 'text', label: problem.text, hint: problem.textHint({ max }), fault: textFault },
  (aria) =>
    html`<textarea id="text" name="text" rows="6" maxlength="${MAX_PROBLEM_LENGTH}" required${aria}>${typed.text ?? ''}</textarea>`,
)}
<button type="submit" id="send-problem" class="action main">${problem.send}</button>
</form>`;
  return formDocument(frame, problem.title, body);
}

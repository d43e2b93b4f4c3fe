import { type Content, changeOperations, JSON_TYPE, type Operation } from './api-document.ts';

/**
 * Adds answers of the service to the description, as examples: to each operation its answer 200, to each webhook the body of
 * its call. `answers` are by `operationId`.
 */
export function addAnswerExamples<Document extends { paths?: object; webhooks?: object }>(
  document: Document,
  answers: Readonly<Record<string, unknown>>,
): Document {
  /** The content with the recorded answer as its example; undefined where none was recorded. */
  const recorded = ({ operationId = '' }: Operation, content: Content = {}): Content | undefined => {
    if (!Object.hasOwn(answers, operationId)) return undefined;
    return { ...content, [JSON_TYPE]: { ...content[JSON_TYPE], example: answers[operationId] } };
  };
  const ofAnswer = (operation: Operation): Operation => {
    const answer = operation.responses?.[200];
    const content = answer && recorded(operation, answer.content);
    return content ? { ...operation, responses: { ...operation.responses, 200: { ...answer, content } } } : operation;
  };
  const ofCall = (operation: Operation): Operation => {
    const { requestBody } = operation;
    const content = requestBody && recorded(operation, requestBody.content);
    return content ? { ...operation, requestBody: { ...requestBody, content } } : operation;
  };
  return {
    ...document,
    ...(document.paths ? { paths: changeOperations(document.paths, ofAnswer) } : {}),
    ...(document.webhooks ? { webhooks: changeOperations(document.webhooks, ofCall) } : {}),
  };
}

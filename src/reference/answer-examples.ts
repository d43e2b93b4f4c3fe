type Media = { example?: unknown };
type Content = Readonly<Record<string, Media>>;
type Operation = {
  operationId?: string;
  requestBody?: { content?: Content };
  responses?: Readonly<Record<string, { content?: Content }>>;
};
type Items = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/**
 * Adds answers of the service to the description, as examples: to each operation its answer 200, to each webhook the body of
 * its call. `answers` are by `operationId`.
 */
export function addAnswerExamples<Document extends { paths?: object; webhooks?: object }>(
  document: Document,
  answers: Readonly<Record<string, unknown>>,
): Document {
  const exampleOf = ({ operationId = '' }: Operation) =>
    Object.hasOwn(answers, operationId) ? { example: answers[operationId] } : undefined;
  const ofAnswer = (operation: Operation) => {
    const example = exampleOf(operation);
    const answer = operation.responses?.[200];
    if (!example || !answer) return operation;
    const responses = { ...operation.responses, 200: { ...answer, content: withExample(answer.content, example) } };
    return { ...operation, responses };
  };
  const ofCall = (operation: Operation) => {
    const { requestBody } = operation;
    const example = exampleOf(operation);
    if (!example || !requestBody) return operation;
    return { ...operation, requestBody: { ...requestBody, content: withExample(requestBody.content, example) } };
  };
  return {
    ...document,
    ...(document.paths ? { paths: eachOperation(document.paths as Items, ofAnswer) } : {}),
    ...(document.webhooks ? { webhooks: eachOperation(document.webhooks as Items, ofCall) } : {}),
  };
}

function eachOperation(items: Items, change: (operation: Operation) => Operation): Items {
  return Object.fromEntries(
    Object.entries(items).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, change(operation)])),
    ]),
  );
}

const JSON_TYPE = 'application/json';

function withExample(content: Content = {}, example: Media): Content {
  return { ...content, [JSON_TYPE]: { ...content[JSON_TYPE], ...example } };
}

import { changeOperations, JSON_TYPE, type Operation } from './api-document.ts';

/**
 * Marks the request bodies of an OpenAPI document that may be left out: the service reads a missing body as `{}`, which
 * is a whole body where the schema names no member.
 */
export function markOptionalBodies<Document extends { paths?: object }>(document: Document): Document {
  return { ...document, paths: changeOperations(document.paths ?? {}, withBody) };
}

function withBody(operation: Operation): Operation {
  const { requestBody } = operation;
  const members = requestBody?.content?.[JSON_TYPE]?.schema?.properties;
  if (!requestBody || !members || Object.keys(members).length > 0) return operation;
  return { ...operation, requestBody: { ...requestBody, required: false } };
}

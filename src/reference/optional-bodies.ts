type Schema = { properties?: object };
type Operation = { requestBody?: { required?: boolean; content?: Record<string, { schema?: Schema }> } };

/**
 * Marks the request bodies of an OpenAPI document that may be left out: the service reads a missing body as `{}`, which
 * is a whole body where the schema names no member.
 */
export function markOptionalBodies<Document extends { paths?: object }>(document: Document): Document {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item as object).map(([method, operation]) => [method, withBody(operation)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function withBody(operation: Operation): Operation {
  const { requestBody } = operation;
  const members = requestBody?.content?.['application/json']?.schema?.properties;
  if (!requestBody || !members || Object.keys(members).length > 0) return operation;
  return { ...operation, requestBody: { ...requestBody, required: false } };
}

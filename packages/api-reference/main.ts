/* The page of an OpenAPI document, for people. */

export { type ApiDocument, type Content, changeOperations, JSON_TYPE, type Operation } from './api-document.ts';
export { referencePage, referenceParts } from './reference.page.ts';

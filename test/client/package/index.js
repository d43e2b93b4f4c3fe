export { compile } from 'json-schema-to-typescript';

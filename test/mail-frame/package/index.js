export { default as compile } from 'mjml';

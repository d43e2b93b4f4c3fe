export { createConfig, lintFromString } from '@redocly/openapi-core';
export { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
export { Spectral } from '@stoplight/spectral-core';
export { oas } from '@stoplight/spectral-rulesets';
export { HtmlValidate, StaticConfigLoader } from 'html-validate';

export { default as parser } from '@typescript-eslint/parser';
export { ESLint } from 'eslint';
export { default as regexp } from 'eslint-plugin-regexp';
export { default as sonarjs } from 'eslint-plugin-sonarjs';
export { checkSync } from 'recheck';

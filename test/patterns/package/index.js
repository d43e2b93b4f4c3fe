export { default as parser } from '@typescript-eslint/parser';
export { ESLint } from 'eslint';
export { default as redos } from 'eslint-plugin-redos';
export { default as regexp } from 'eslint-plugin-regexp';
export { default as sonarjs } from 'eslint-plugin-sonarjs';

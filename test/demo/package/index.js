export { icons } from '@iconify-json/fluent-emoji-flat';

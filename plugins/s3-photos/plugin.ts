import { definePlugin, httpUrl, PLUGIN_API, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'photos_s3',
  settings: {
    url: { expected: 'an http or https URL without a query', parse: httpUrl },
    region: { expected: 'a region' },
    accessKeyId: { expected: 'an access key' },
    secretAccessKey: { expected: 'its secret' },
  },
  photos: [
    {
      name: 's3',
      async open({ settings }) {
        const { createS3PhotoBucket } = await import('./bucket.ts');
        return createS3PhotoBucket(settings);
      },
    },
  ],
  check: {
    setting: 'url',
    async ask({ settings }) {
      const { askForBucket } = await import('./bucket.ts');
      return askForBucket(settings);
    },
  },
});

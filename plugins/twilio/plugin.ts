import { definePlugin, PLUGIN_API, readParty, VERSION } from 'doorstep/plugin';

export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'twilio',
  settings: {
    accountSid: { expected: 'the SID of an account' },
    authToken: { expected: 'its token' },
    from: { expected: 'a number, a sender name or the MG… of a messaging service' },
  },
  sms: [
    {
      name: 'twilio',
      byDefault: true,
      async open({ settings, partyUrls }) {
        const { createTwilioReplies, createTwilioSmsSender } = await import('./twilio.ts');
        return { sender: createTwilioSmsSender({ ...settings, ...partyUrls }), replies: createTwilioReplies(settings) };
      },
    },
  ],
  check: {
    setting: 'authToken',
    async ask({ settings: { accountSid, authToken }, partyUrls }) {
      const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
      const url = `${partyUrls.baseUrl ?? 'https://api.twilio.com'}/2010-04-01/Accounts/${accountSid}.json`;
      return readParty(url, { headers: { authorization } });
    },
  },
});

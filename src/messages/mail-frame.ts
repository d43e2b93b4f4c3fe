/** The slots of the frame, `{{name}}`: each mail fills them. */
export const MAIL_SLOTS = [
  'title',
  'preview',
  'brand',
  'headline',
  'lead',
  'link',
  'linkLabel',
  'facts',
  'items',
  'charges',
  'foot',
  'button',
  'onButton',
  'accent',
  'darkAccent',
] as const;
export type MailSlot = (typeof MAIL_SLOTS)[number];

/** MJML takes no slot for a colour: these colours, which no mail shows, stand for the slots until it has compiled. */
export const MAIL_COLOR_MARKS: Readonly<Record<string, MailSlot>> = {
  '#010a01': 'button',
  '#010a02': 'onButton',
  '#010a03': 'accent',
  '#010a04': 'darkAccent',
};

/** Colours for mail clients that follow the system's dark mode; other clients show the light colours. */
const STYLE = `
  .quiet { color: #5b6470; }
  .line { border-top: 1px solid #e3e6ea; }
  a, .brand div { color: #010a03; }
  @media (prefers-color-scheme: dark) {
    body, .page, .page > div { background: #15181c !important; }
    .card, .card > table { background: #1f242a !important; }
    .card div, .card table, .card td { color: #e8eaed !important; }
    .card .quiet, .foot div { color: #a5adb8 !important; }
    .line { border-top-color: #3a414a !important; }
    .card a, .foot a, .card .brand div { color: #010a04 !important; }
    .card .button a { color: #010a02 !important; }
  }`;

/** The frame of every e-mail in MJML, which compiles it, once, into tables that all mail clients show alike. */
export const MAIL_FRAME_MJML = `
<mjml lang="en">
  <mj-head>
    <mj-title>{{title}}</mj-title>
    <mj-preview>{{preview}}</mj-preview>
    <mj-raw><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></mj-raw>
    <mj-attributes>
      <mj-all font-family="-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" />
      <mj-text font-size="15px" line-height="22px" color="#1b1f24" padding="0 24px" />
      <mj-table font-size="15px" line-height="22px" color="#1b1f24" padding="0 24px" />
      <mj-section padding="0" />
    </mj-attributes>
    <mj-style>${STYLE}</mj-style>
  </mj-head>
  <mj-body background-color="#f3f4f6" css-class="page" width="560px">
    <mj-section padding="20px 0 0"><mj-column><mj-text font-size="1px" line-height="1px">&#8203;</mj-text></mj-column></mj-section>
    <mj-section css-class="card" background-color="#ffffff" padding="24px 0 0">
      <mj-column>
        <mj-text css-class="brand" color="#010a03" font-size="18px" font-weight="700">{{brand}}</mj-text>
        <mj-text font-size="24px" line-height="30px" font-weight="700" padding="20px 24px 8px">{{headline}}</mj-text>
        <mj-text>{{lead}}</mj-text>
        <mj-button css-class="button" href="{{link}}" align="left" background-color="#010a01" color="#010a02" font-size="16px" font-weight="600" border-radius="8px" inner-padding="13px 24px" padding="12px 24px 20px">{{linkLabel}}</mj-button>
        <mj-table>{{facts}}</mj-table>
      </mj-column>
    </mj-section>
    <mj-section css-class="card" background-color="#ffffff" padding="16px 0 28px">
      <mj-column>
        <mj-table>{{items}}</mj-table>
        <mj-table padding="8px 24px 0">{{charges}}</mj-table>
      </mj-column>
    </mj-section>
    <mj-section css-class="foot" padding="16px 0 32px">
      <mj-column><mj-text font-size="13px" line-height="19px" color="#5b6470">{{foot}}</mj-text></mj-column>
    </mj-section>
  </mj-body>
</mjml>`;

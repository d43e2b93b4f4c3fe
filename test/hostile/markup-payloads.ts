/** Payloads that run when parsed as markup: each calls `pwned()` or navigates to another scheme. */
const SCRIPTS = [
  '<script>pwned()</script>',
  '<ScRiPt >pwned()</sCrIpT>',
  '<script/x>pwned()</script>',
  '<script src=data:text/javascript,pwned()></script>',
  '<scr<script>ipt>pwned()</scr</script>ipt>',
  '<img src=x onerror=pwned()>',
  '<img src=x onerror="pwned()">',
  '<img/src=x/onerror=pwned()>',
  '<IMG SRC=x oNeRrOr=pwned()//',
  '<svg onload=pwned()>',
  '<svg/onload=pwned()>',
  '<svg><script>pwned()</script></svg>',
  '<svg><animate onbegin=pwned() attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:pwned()"><text x=20 y=20>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=pwned()>',
  '<body onload=pwned()>',
  '<iframe src=javascript:pwned()></iframe>',
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  '<object data=javascript:pwned()></object>',
  '<embed src=javascript:pwned()>',
  '<a href=javascript:pwned()>x</a>',
  '<a href="&#106;avascript:pwned()">x</a>',
  '<form action=javascript:pwned()><button>x</button></form>',
  '<input autofocus onfocus=pwned()>',
  '<details open ontoggle=pwned()>',
  '<video><source onerror=pwned()></video>',
  '<audio src=x onerror=pwned()>',
  '<marquee onstart=pwned()>x</marquee>',
  '<meta http-equiv=refresh content="0;url=javascript:pwned()">',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href="data:text/css,*{background:url(https://evil.example)}">',
  '<style>@import "https://evil.example/x.css";</style>',
  '<!--[if IE]><script>pwned()</script><![endif]-->',
  '<!--><script>pwned()</script>-->',
  '<plaintext>',
  '<textarea autofocus onfocus=pwned()>',
  '<noscript><p title="</noscript><img src=x onerror=pwned()>">',
  '<template><script>pwned()</script></template>',
  '<x onclick=pwned() tabindex=1 autofocus onfocus=pwned()>',
  '{{constructor.constructor("pwned()")()}}',
  '#{pwned()}',
  '{{html}}{{brand}}{{link}}',
];

/** Prefixes that escape the context of a value. */
const WAYS_OUT = [
  '',
  '">',
  "'>",
  '" onmouseover=pwned() autofocus onfocus=pwned() x="',
  '</title>',
  '</style>',
  '</script>',
  '-->',
  '</td></tr></table>',
  '\u0000\r\n\r\n',
];

const URLS = [
  'javascript:pwned()',
  'JaVaScRiPt:pwned()',
  ' javascript:pwned()',
  'java\tscript:pwned()',
  'javascript://%0apwned()',
  'data:text/html,<script>pwned()</script>',
  'data:image/svg+xml,<svg onload=pwned()>',
  'vbscript:pwned()',
  'https://logo.example/"onerror="pwned()',
  "https://logo.example/'onerror='pwned()",
  'https://logo.example/x"><script>pwned()</script>',
  'https://logo.example/<script>pwned()</script>',
  '//evil.example/x.js',
  '\\\\evil.example\\x',
  'file:///etc/passwd',
  'blob:https://evil.example/x',
];

/** More than two hundred strings that must always render as text. */
export const MARKUP_PAYLOADS: readonly string[] = [
  ...new Set([
    ...SCRIPTS.flatMap((script, at) =>
      [...WAYS_OUT.slice(0, 1), ...WAYS_OUT.slice(1 + (at % 4), 6 + (at % 4))].map((way) => way + script),
    ),
    ...URLS,
  ]),
];

/** Strings that would inject a header, a recipient or a body. */
export const HEADER_PAYLOADS: readonly string[] = [
  '\r\n',
  '\n',
  '\r',
  '\u2028',
  '\u0085',
  '%0d%0a',
  '\\r\\n',
  '\u0000\r\n ',
]
  .flatMap((end) => [
    `x${end}Bcc: evil@evil.example`,
    `x${end}Subject: evil`,
    `x${end}${end}<script>pwned()</script>`,
    `x${end}.${end}RCPT TO:<evil@evil.example>`,
  ])
  .concat([
    '" <evil@evil.example>, "',
    '<evil@evil.example>',
    'a@b.example, evil@evil.example',
    '=?utf-8?q?=0D=0ABcc:_evil=40evil.example?=',
    'x\\"',
    '(comment) x',
    'Group: evil@evil.example;',
  ]);

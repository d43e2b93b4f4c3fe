import { html } from '../lib/html.ts';

/** The style of the payment pages, sent within the page: its hash in the policy permits this text and no other style. */
export const PAYMENT_PAGE_STYLE = html`
:root{color-scheme:light dark;--ground:#f6f5f1;--card:#fff;--text:#1d1c1a;--soft:#5d5a54;--line:#8a867d;--accent:#0b6b4a;--on-accent:#fff;--bad:#a3341f;--bad-tint:#fbeae5}
@media (prefers-color-scheme:dark){:root{--ground:#141513;--card:#1e201d;--text:#f1f0ec;--soft:#b4b1a9;--line:#7d7f76;--accent:#62d3a4;--on-accent:#06281b;--bad:#ff9d88;--bad-tint:#3a201a}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem 1rem 2rem;max-width:30rem;background:var(--ground);color:var(--text);font:1rem/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere;-webkit-text-size-adjust:100%}
h1,h2,p,ul{margin:0;padding:0}
h1{font-size:1.5rem;line-height:1.2;letter-spacing:-.02em}
h2{font-size:1.05rem;margin-bottom:.5rem}
main{padding:1.25rem;border-radius:18px;background:var(--card)}
.lead,.hint{color:var(--soft)}
.lead{margin:.4rem 0 1.25rem}
.hint{font-size:.875rem}
.test{margin-bottom:.875rem;padding:.4rem .75rem;border:1px dashed var(--soft);border-radius:10px;color:var(--soft);font-size:.875rem;text-align:center}
.field{margin-bottom:1rem}
.pair{display:flex;gap:1rem}
.pair>.field{flex:1;min-width:0}
label{display:block;margin-bottom:.25rem;font-weight:650}
input{width:100%;min-height:3rem;padding:0 .75rem;border:1px solid var(--line);border-radius:10px;background:var(--ground);color:var(--text);font:inherit;font-variant-numeric:tabular-nums}
input[aria-invalid=true]{border:2px solid var(--bad)}
.fault{margin-top:.25rem;color:var(--bad);font-size:.9375rem}
.summary{margin-bottom:1.25rem;padding:.875rem 1rem;border-radius:12px;background:var(--bad-tint)}
.summary h2{color:var(--bad);margin-bottom:.25rem}
.summary a{color:inherit}
ul{padding-left:1.1rem}
button,.button{display:block;width:100%;min-height:3rem;padding:.75rem 1rem;border:0;border-radius:999px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:650;text-align:center;text-decoration:none;cursor:pointer}
button.second{margin-top:.75rem;background:none;color:var(--text);border:1px solid var(--line)}
.cards{margin-top:1.25rem;padding-top:1rem;border-top:1px solid var(--line)}
.cards dl{margin:0;display:grid;gap:.5rem}
.cards dt{font-variant-numeric:tabular-nums;font-weight:650}
.cards dd{margin:0;color:var(--soft);font-size:.9375rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

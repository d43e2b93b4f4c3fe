import { type Html, html, toMarkup } from 'doorstep/html';

/** Paths of the pages on which operators sign in; `base` is the path of BASE_URL. */
export type SignInFrame = { base: string; stylePath: string; iconPath: string };

/** Ways to sign in besides the access code. */
export type SignInWays = { hasEmail: boolean; hasOpenid: boolean };

export const SIGN_IN_PROBLEMS = {
  link: 'This link was already used, has expired, was replaced by a newer one, or was requested in another browser. Request a new link here.',
  openid: 'Single sign-on didn’t confirm an operator’s email. Try again, or ask an admin to add your address.',
  issuer: 'Single sign-on didn’t respond. Try again in a minute.',
} as const;
export type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;

export function signInPage(frame: SignInFrame, { hasEmail, hasOpenid }: SignInWays, problem?: SignInProblem): string {
  return page(
    frame,
    'Sign in',
    html`<h1>Operators sign in</h1>
${problem !== undefined && html`<p class="fault" role="alert">${SIGN_IN_PROBLEMS[problem]}</p>`}
${hasOpenid && html`<p><a class="button main" href="${frame.base}/console/operator/openid">Continue with single sign-on</a></p>`}
${
  hasEmail &&
  html`<form method="post" action="${frame.base}/console/operator/sign-in">
<label>Email<input type="email" name="email" required maxlength="254" autocomplete="email"></label>
<button type="submit" class="main">Email me a link</button>
</form>`
}
<p><a href="${frame.base}/console">Use an access code</a></p>`,
  );
}

/** The same page for every address, whether an operator has it or not. */
export function linkSentPage(frame: SignInFrame): string {
  return page(
    frame,
    'Check your email',
    html`<h1>Check your email</h1>
<p>If an operator has this address, a link is on its way. It takes up to a minute. Open the newest one in this browser within 15 minutes.</p>
<p><a href="${frame.base}/console/operator/sign-in">Back</a></p>`,
  );
}

/** Opening the link changes nothing, because mail scanners open links too: the button signs in. */
export function linkPage(frame: SignInFrame): string {
  return page(
    frame,
    'Sign in',
    html`<h1>Sign in to Doorstep</h1>
<form method="post"><button type="submit" class="main">Sign in</button></form>`,
  );
}

/**
 * The last page of single sign-on. It opens the view itself: after a redirect from the issuer, browsers would send no
 * `SameSite=Strict` cookie.
 */
export function signedInPage(frame: SignInFrame): string {
  const view = `${frame.base}/console/operator`;
  return page(
    frame,
    'Signed in',
    html`<h1>Signed in</h1>
<p><a class="button main" href="${view}">Open the operator’s view</a></p>`,
    html`<meta http-equiv="refresh" content="0; url=${view}">`,
  );
}

function page({ stylePath, iconPath }: SignInFrame, title: string, body: Html, head?: Html): string {
  return `<!doctype html>${toMarkup(html`
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title} · Doorstep</title>
<link rel="icon" href="${iconPath}" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
${head}
</head>
<body class="sign-in"><main>${body}</main></body>
</html>`)}`;
}

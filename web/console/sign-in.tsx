import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf, statusOf } from './api.ts';
import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import { forgetKept } from './local-storage.ts';

const CODE_LENGTH = 12;

/** A code as it is read: letters and digits in groups of four. */
function grouped(text: string): string {
  const characters = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return (characters.match(/.{1,4}/g) ?? []).join('-');
}

function sentenceOf(error: unknown): string {
  const status = statusOf(error);
  if (status === 401) {
    return 'This code does not work: it is mistyped, used already, or older than 48 hours. A code opens one tablet; ask for another.';
  }
  if (status === 429) return 'Too many wrong codes within a minute. Check the code, or ask for a new one.';
  return messageOf(error);
}

/** The sign-in form of the console. */
export function SignIn({ context, hasEnded }: { context: ConsoleContext; hasEnded: boolean }) {
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    input.current?.focus();
    // A browser that came by a link of another site has sent no cookie, and may have a session all the same.
    if (hasEnded) forgetKept();
    else void openOwn(context);
  }, []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      const { role } = await context.api.send<{ role: string }>('POST', '/console/sign-in', { code });
      location.replace(role === 'operator' ? `${context.base}/console/operator` : context.home);
    } catch (failure) {
      setBusy(false);
      setError(sentenceOf(failure));
      input.current?.select();
    }
  }

  return (
    <main class="sign-in">
      <form onSubmit={submit} noValidate>
        <p class="wordmark">Doorstep</p>
        {context.sandbox !== undefined && <p class="mark">Sandbox</p>}
        <h1>Sign in</h1>
        {hasEnded && <p class="hint">This tablet has been signed out. Enter a new code to go on.</p>}
        <label for="code">Access code</label>
        <input
          ref={input}
          id="code"
          name="code"
          class="code"
          placeholder="XXXX-XXXX-XXXX"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck={false}
          value={code}
          aria-describedby="code-hint code-error"
          aria-invalid={error !== ''}
          onInput={({ currentTarget }) => setCode(grouped(currentTarget.value))}
        />
        <p id="code-error" class="error" role="alert">
          {error}
        </p>
        <Button kind="primary" submit isBusy={isBusy} isOff={code.replaceAll('-', '').length < CODE_LENGTH}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
        <p id="code-hint" class="hint">
          Twelve letters and digits, from anyone who runs Doorstep for your store. A code works once.
        </p>
      </form>
    </main>
  );
}

async function openOwn({ home }: ConsoleContext): Promise<void> {
  const answer = await fetch(home, { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok && /data-page="console"/.test(await answer.text())) location.replace(home);
}

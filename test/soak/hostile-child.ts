import assert from 'node:assert/strict';
import { assertMoneyReconciles, rowsOfAccount } from '../hostile/generated/check-books.ts';
import { givenAttack } from '../hostile/generated/given-attack.ts';

/** The attacked service in a child process, which also answers its parent's requests one at a time. */
let secrets: readonly string[] = [];
let shown = 0;
const attack = await givenAttack((line) => {
  if (secrets.some((secret) => line.includes(secret))) shown += 1;
});
secrets = attack.secrets;
const { shop, bystander, stripe, arms } = attack;
const { db } = shop.service.deps;
const earlier = await rowsOfAccount(db, bystander.accountId);
const port = await shop.listen();
const document = shop.service.http.swagger();

const ANSWERS: Readonly<Record<string, () => Promise<unknown>>> = {
  /** Between rounds: puts stores back on sale and finishes background work. */
  async settle() {
    await attack.reopen();
    await shop.advance({ seconds: 1 });
  },
  /** Final checks; returns the number of charged orders. */
  async finish() {
    assert.deepEqual(await rowsOfAccount(db, bystander.accountId), earlier);
    await shop.advance({ minutes: 10 });
    assert.equal(shown, 0, 'lines of the log with secrets');
    return assertMoneyReconciles(db, stripe);
  },
};

process.on('message', (question: string) => {
  const answer = ANSWERS[question] ?? assert.fail(question);
  answer().then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ fault: String(error?.message ?? error) }),
  );
});
process.once('disconnect', () => attack.close().then(() => process.exit(0)));
process.send?.({ url: `http://127.0.0.1:${port}`, arms, document });

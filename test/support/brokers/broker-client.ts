import { createConnection } from 'node:net';

/** Asks a broker of the test run (broker.ts) for its answer. The first request of a run makes the broker prepare it, and waits. */
export async function ask<T extends object>(variable: string): Promise<T> {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is not set: the tests run without test/support/runner/global-setup.ts`);
  const chunks: Buffer[] = [];
  for await (const chunk of createConnection(path)) chunks.push(chunk);
  const answer: T | { readonly error: string } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if ('error' in answer) throw new Error(`What ${variable} offers could not be made:\n${answer.error}`);
  return answer;
}

import { createInterface } from 'node:readline';
import { messageOf, RefusedError } from '../failures.js';
import { PngThread } from './picture/png-thread.js';
import type { Desktop } from './platform.js';
import { RelayConnection } from './relay-connection.js';
import { readOrder, writeLine, type SessionAnswer, type SessionOrder } from './session-link.js';
import { Session } from './session.js';
import { KeptOutError, loadAll } from './x11/x-connection.js';
import { liftAllKeys, openXDesktop } from './x11/x-desktop.js';

/*
 * A program of its own for each session: shows and controls the display that DISPLAY names. With the arguments <uid> <gid> it does so with
 * the rights of that account only. It ends when the session does, and when its standard input is closed.
 */

const DISPLAY = process.env['DISPLAY'] ?? '';
/** The end of a session releases keys and says good-bye within this time. */
const END_WITHIN_MS = 5_000;
const CONSENT_WITHIN_MS = 30_000;
const MAX_NAME_LENGTH = 80;

let desktop: Desktop | undefined;
let session: Session | undefined;
let isAnswered = false;

const log = (line: string): void => void process.stderr.write(`${line}\n`);

function answer(value: SessionAnswer): void {
  if (isAnswered) return;
  isAnswered = true;
  process.stdout.write(writeLine(value));
}

/** Gives up the rights of root for those of the account. */
function become([uid, gid]: readonly number[]): void {
  if (uid === undefined || gid === undefined) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

async function serve(order: SessionOrder, png: PngThread): Promise<void> {
  desktop = await openXDesktop(DISPLAY, log);
  let isLost = false;
  desktop.onLost(() => (isLost = true));
  answer({ isReady: true });
  if (order.isConsentRequired && !(await isAllowed(desktop, order))) {
    log('The person at the device has not allowed the session.');
    await desktop.close();
    return;
  }
  const relay = await RelayConnection.dial(order.relayUri);
  session = new Session(order.sessionId, desktop, relay, png, log);
  if (isLost) session.end('The desktop of the device has ended: its X server is gone.');
  const notice = { sentence: `${nameOf(order)} sees this desktop and can control it.`, place: order.place };
  await session.run(order.isNotified || order.isConsentRequired ? notice : undefined);
}

/** Asks the person at the device. */
async function isAllowed({ person }: Desktop, order: SessionOrder): Promise<boolean> {
  const question = `${nameOf(order)} asks to see and control this desktop.`;
  const hint = 'Without an answer within 30 seconds the session is refused.';
  return person.ask([question, hint], ['Allow', 'Refuse'], CONSENT_WITHIN_MS);
}

/** The viewer's name in one line. */
function nameOf({ viewerName }: SessionOrder): string {
  const name = viewerName.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return name === '' ? 'A viewer' : name.slice(0, MAX_NAME_LENGTH);
}

/** Ends the session because the agent stops or has ended, or a user has ended this process. */
function leave(): void {
  setTimeout(() => process.exit(0), END_WITHIN_MS).unref();
  if (session !== undefined) {
    session.end('The agent of the device has ended the session.');
    return;
  }
  void closeAndExit(0);
}

async function closeAndExit(code: number): Promise<void> {
  await desktop?.close();
  process.exit(code);
}

async function main(): Promise<void> {
  // Everything is loaded first: the account need not be able to read the folder of the agent.
  loadAll();
  const png = await PngThread.start();
  become(process.argv.slice(2).map(Number));
  const lines = createInterface({ input: process.stdin });
  const order = await new Promise<SessionOrder | undefined>((resolve, reject) => {
    lines.once('line', (line) => {
      try {
        resolve(readOrder(line));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(messageOf(error)));
      }
    });
    lines.once('close', () => resolve(undefined));
  });
  if (order === undefined) return;
  if (order.task === 'release') {
    await liftAllKeys(DISPLAY, log);
    return;
  }
  process.stdin.once('end', leave);
  process.once('SIGTERM', leave);
  process.once('SIGINT', leave);
  await serve(order, png);
}

function fail(error: unknown): void {
  log(messageOf(error));
  const refused = error instanceof RefusedError ? error.message : `The desktop cannot be shown: ${messageOf(error)}`;
  answer({ isReady: false, refused, isKeptOut: error instanceof KeptOutError });
  setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
  void closeAndExit(1);
}

process.on('uncaughtException', fail);
main().then(() => process.exit(0), fail);

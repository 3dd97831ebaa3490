import { spawn, type ChildProcess } from 'node:child_process';
import { userInfo } from 'node:os';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RemoteControlSessionRequestDto } from '#libs/contracts';
import type { Desktops } from '../desktop/desktops.js';
import type { Display } from '../desktop/displays.js';
import { accountFor, environmentFor } from '../desktop/session-environment.js';
import { messageOf, RefusedError } from '../failures.js';
import type { Log } from '../logs/log.js';
import { ownRelayUri } from '../relay-uri.js';
import { MAX_LINE_LENGTH, readAnswer, writeLine, type SessionOrder } from './session-link.js';

/** The program of a session, with the ending that this file has: compiled, or as it was written. */
const PROGRAM = fileURLToPath(new URL(`./session-program${extname(import.meta.url)}`, import.meta.url));
/** Time in which a program starts and reaches its display. */
const READY_WITHIN_MS = 30_000;
/** A program that was told to end and has not is killed. */
const END_WITHIN_MS = 8_000;
const MAX_SESSIONS = 50;
/** Memory that the heap of a session may take. Pictures are outside of it. */
const HEAP_MIB = 128;
/** Gives the memory of pictures back to the system at once, where the C library is glibc. Else a session keeps that of its largest ones. */
const PICTURE_MEMORY = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/** A session whose program has not ended. */
interface Running {
  readonly program: ChildProcess;
  /** Number of the place where its notice stands. */
  readonly place: number;
}

/** Remote control sessions: each is a program of its own, with the rights of the person whose desktop it shows. */
export class RemoteControlSessions {
  private readonly running = new Map<string, Running>();

  constructor(
    private readonly desktops: Desktops,
    private readonly serverUri: string,
    private readonly log: Log,
    private readonly stopped: AbortSignal,
    /** Options of Node.js for the program. */
    private readonly nodeOptions: readonly string[] = process.execArgv,
  ) {
    stopped.addEventListener('abort', () => this.running.forEach(({ program }) => leave(program)), { once: true });
  }

  /**
   * Begins a session. Resolves when its program can show the desktop; it then dials the relay, always that of the agent's own server.
   * @throws RefusedError for a desktop that is not there or cannot be shown, and an address outside the relay
   */
  async start(request: RemoteControlSessionRequestDto): Promise<void> {
    const relayUri = ownRelayUri(request.websocketUri, this.serverUri);
    const display = await this.desktops.controllable(request.targetProcessId);
    if (this.running.has(request.sessionId)) throw new RefusedError('A session with this id is running on the device.');
    if (this.running.size >= MAX_SESSIONS)
      throw new RefusedError(`The device has ${MAX_SESSIONS} remote control sessions, and takes no more.`);
    if (this.stopped.aborted) throw new RefusedError('The agent of the device is stopping.');
    const place = this.freePlace();
    const order: SessionOrder = {
      task: 'session',
      sessionId: request.sessionId,
      relayUri: relayUri.href,
      viewerName: request.viewerName ?? '',
      isNotified: request.notifyUserOnSessionStart,
      isConsentRequired: request.requireConsent,
      place,
    };
    const program = this.launch(display);
    this.running.set(request.sessionId, { program, place });
    program.once('close', (code, signal) => {
      this.running.delete(request.sessionId);
      this.log.info(`Remote control session ${request.sessionId} ended (${signal ?? `exit code ${code}`}).`);
      if (signal !== null) this.release(display);
    });
    try {
      await this.ready(program, order, display);
      this.log.info(`Remote control session ${request.sessionId} shows display :${display.number}.`);
    } catch (error) {
      leave(program);
      throw error;
    }
  }

  /** The first place without a notice. Of two notices at one place, the person at the device would see only one. */
  private freePlace(): number {
    const taken = new Set(Array.from(this.running.values(), ({ place }) => place));
    let place = 0;
    while (taken.has(place)) place += 1;
    return place;
  }

  private launch(display: Display): ChildProcess {
    const account = accountFor(display);
    const options = [...this.nodeOptions, `--max-old-space-size=${HEAP_MIB}`, '--max-semi-space-size=2', '--no-deprecation'];
    const program = spawn(
      process.execPath,
      [...options, PROGRAM, ...(account === undefined ? [] : [String(account.uid), String(account.gid)])],
      {
        env: { ...environmentFor(display), ...PICTURE_MEMORY },
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    // The close event that follows an error ends the session.
    program.on('error', (error) => this.log.warn(`Remote control: ${error.message}`));
    program.stdin?.on('error', () => undefined);
    if (program.stderr !== null) {
      createInterface({ input: program.stderr }).on('line', (line) => this.log.warn(`Remote control: ${line.slice(0, 500)}`));
    }
    return program;
  }

  private async ready(program: ChildProcess, order: SessionOrder, display: Display): Promise<void> {
    const line = await new Promise<string>((resolve, reject) => {
      const failed = (sentence: string) => (): void => {
        clearTimeout(timer);
        reject(new RefusedError(sentence));
      };
      const timer = setTimeout(failed('The desktop of the device could not be shown in time.'), READY_WITHIN_MS);
      program.once('close', failed('The program of the remote control session has failed.'));
      let printed = '';
      program.stdout?.setEncoding('utf8').on('data', (part: string) => {
        if (printed.length > MAX_LINE_LENGTH) return;
        printed += part;
        const end = printed.indexOf('\n');
        if (end === -1) return;
        clearTimeout(timer);
        resolve(printed.slice(0, end));
      });
      program.stdin?.write(writeLine(order));
    });
    const answer = readAnswer(line);
    if (!answer.isReady) throw new RefusedError((answer.isKeptOut ? foreign(display) : undefined) ?? answer.refused);
  }

  /** A program that was killed could not lift the keys that its viewer held. */
  private release(display: Display): void {
    if (this.stopped.aborted) return;
    try {
      const order = {
        task: 'release',
        sessionId: '',
        relayUri: '',
        viewerName: '',
        isNotified: false,
        isConsentRequired: false,
        place: 0,
      } as const;
      this.launch(display).stdin?.end(writeLine(order));
    } catch (error) {
      this.log.warn(`Keys of display :${display.number} were not released: ${messageOf(error)}`);
    }
  }
}

/** The reason why the X server of a display keeps this agent out; undefined if the display may be the agent's own. */
function foreign({ number, user }: Display): string | undefined {
  const own = process.getuid?.();
  if (user === undefined || own === undefined || own === 0 || user.uid === own) return undefined;
  return (
    `Display :${number} of the device belongs to ${user.name}, and the agent of the device runs as ${userInfo().username}. ` +
    'Only an agent that runs as root shows desktops of other users.'
  );
}

/** Tells a program to end, and kills it if it does not. */
function leave(program: ChildProcess): void {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.stdin?.end();
  const timer = setTimeout(() => program.kill('SIGKILL'), END_WITHIN_MS);
  program.once('close', () => clearTimeout(timer));
}

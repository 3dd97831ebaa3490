import { mkdir, chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatMessageHubDto, ChatResponseHubDto } from '#libs/contracts';
import type { DataDirectory } from '../data-directory.js';
import type { Desktops } from '../desktop/desktops.js';
import { RefusedError } from '../failures.js';
import type { Log } from '../logs/log.js';
import { Conversation, type Audience } from './conversation.js';
import { readLoginTerminals, type LoginTerminal } from './login-terminals.js';

const MAX_CONVERSATIONS = 32;
const IDLE_MS = 60 * 60 * 1000;
/** The target of a message that is for everybody at the device. */
const EVERYBODY = 0;
const NOBODY = 'Nobody is signed in at the device who can be shown a message.';
/** Everybody may go through the folder to a pipe whose name they know, and nobody may list it. */
const PASSABLE = 0o711;

export interface ChatServices {
  readonly desktops: Desktops;
  readonly log: Log;
  /** Folder of the pipes for answers. Made empty for the first one. */
  readonly folder: string;
  readonly send: (response: ChatResponseHubDto) => Promise<boolean>;
  readonly readTerminals?: () => Promise<LoginTerminal[]>;
}

interface Entry {
  readonly conversation: Conversation;
  readonly idleTimer: NodeJS.Timeout;
}

/** The conversations of viewers with the people at this device. One ends when it is closed, or an hour after its last message. */
export class Chats {
  private readonly entries = new Map<string, Entry>();
  /** Messages are shown in the order in which they came. */
  private lastStep: Promise<void> = Promise.resolve();
  private folderReady: Promise<void> | undefined;
  private pipes = 0;

  constructor(private readonly services: ChatServices) {}

  /** Shows the message. Throws RefusedError when nobody sees it. */
  async show(message: ChatMessageHubDto): Promise<void> {
    return this.inOrder(async () => {
      const audience = await this.audienceOf(message.targetProcessId);
      const isNew = !this.entries.has(message.sessionId);
      const conversation = this.obtain(message.sessionId);
      const places = await conversation.show(message, audience).catch(async (error: unknown) => {
        if (isNew) await this.end(message.sessionId);
        throw error;
      });
      if (places > 0) return;
      if (isNew) await this.end(message.sessionId);
      throw new RefusedError(NOBODY);
    });
  }

  /** Ends a conversation. One that does not exist is ignored. */
  async close(sessionId: string): Promise<void> {
    return this.inOrder(async () => this.end(sessionId));
  }

  async closeAll(): Promise<void> {
    return this.inOrder(async () => {
      for (const sessionId of this.entries.keys()) await this.end(sessionId);
      if (this.folderReady === undefined) return;
      await rm(this.services.folder, { recursive: true, force: true }).catch((error: unknown) =>
        this.services.log.error('The folder of the pipes for answers could not be removed.', error),
      );
    });
  }

  /** A desktop and the terminals of its user; without a target, everybody. */
  private async audienceOf(targetProcessId: number): Promise<Audience> {
    const { desktops } = this.services;
    const terminals = await (this.services.readTerminals ?? readLoginTerminals)();
    if (targetProcessId === EVERYBODY) return { terminals, displays: await desktops.all() };
    const display = await desktops.at(targetProcessId);
    return { terminals: terminals.filter(({ uid }) => uid === display.user?.uid), displays: [display] };
  }

  private obtain(sessionId: string): Conversation {
    const known = this.entries.get(sessionId);
    if (known !== undefined) {
      known.idleTimer.refresh();
      return known.conversation;
    }
    if (this.entries.size >= MAX_CONVERSATIONS) throw new RefusedError('Too many conversations are open on the device.');
    const end = (): void => void this.close(sessionId);
    const { log, send } = this.services;
    const newPipePath = async (user: string): Promise<string> => this.newPipePath(user);
    const conversation = new Conversation({ log, send, newPipePath, onAbandoned: end });
    this.entries.set(sessionId, { conversation, idleTimer: setTimeout(end, IDLE_MS).unref() });
    return conversation;
  }

  private async end(sessionId: string): Promise<void> {
    const entry = this.entries.get(sessionId);
    if (entry === undefined) return;
    clearTimeout(entry.idleTimer);
    this.entries.delete(sessionId);
    await entry.conversation.close();
  }

  private async newPipePath(user: string): Promise<string> {
    const { folder } = this.services;
    this.folderReady ??= emptyFolder(folder);
    try {
      await this.folderReady;
    } catch (error) {
      // The disk may be full for a while only.
      this.folderReady = undefined;
      throw error;
    }
    this.pipes += 1;
    return join(folder, `${user.replaceAll(/[^\w.-]/g, '')}-${this.pipes}`);
  }

  private async inOrder(step: () => Promise<void>): Promise<void> {
    const done = this.lastStep.then(step);
    this.lastStep = done.catch(() => undefined);
    return done;
  }
}

/**
 * Returns the folder of an agent's pipes: for root in the system's folder for such things, where all people at the machine can reach them;
 * otherwise in the agent's own, because only its own account is shown messages.
 */
export function chatFolder(directory: DataDirectory, deviceId: string): string {
  return process.getuid?.() === 0 ? `/run/device-agent-${deviceId.slice(0, 8)}` : join(directory.temporary, 'chat');
}

/** An agent that was killed may have left pipes that nobody reads. */
async function emptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await chmod(folder, PASSABLE);
}

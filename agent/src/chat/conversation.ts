import { Timestamp, type ChatMessageHubDto, type ChatResponseHubDto } from '#libs/contracts';
import type { Display } from '../desktop/displays.js';
import { messageOf } from '../failures.js';
import type { Log } from '../logs/log.js';
import { AnswerPipe } from './answer-pipe.js';
import { endsConversation, MAX_CHAT_LENGTH, messageLines, plainLines, plainName, terminalFarewell, terminalMessage } from './chat-text.js';
import { notify, openDialog, type DesktopMessage } from './desktop-messages.js';
import { printOn, type LoginTerminal } from './login-terminals.js';

/** Most entries of the conversation that a dialog shows. */
const SHOWN_ENTRIES = 6;

/** Connections of a conversation to the rest of the agent. */
export interface ConversationLinks {
  readonly log: Log;
  /** A path for a new pipe, that names the user. */
  newPipePath(user: string): Promise<string>;
  /** Passes an answer on. False when its viewer is gone. */
  send(response: ChatResponseHubDto): Promise<boolean>;
  /** Called when there is nobody left to talk to, or the person has ended the conversation. */
  onAbandoned(): void;
}

/** Terminals and displays that show a message. */
export interface Audience {
  readonly terminals: readonly LoginTerminal[];
  readonly displays: readonly Display[];
}

/** A conversation of a viewer with the people at this device. */
export class Conversation {
  private readonly pipes = new Map<number, AnswerPipe>();
  private readonly terminals = new Map<string, LoginTerminal>();
  private readonly dialogs = new Map<number, () => void>();
  private readonly entries: string[] = [];
  private latest: ChatMessageHubDto | undefined;
  private isClosed = false;

  constructor(private readonly links: ConversationLinks) {}

  /** Shows the message to everybody in the audience, and returns the number of places that show it. */
  async show(message: ChatMessageHubDto, { terminals, displays }: Audience): Promise<number> {
    const lines = messageLines(message.message);
    this.latest = message;
    this.note(`${this.sender}: ${lines.join('\n')}`);
    let places = 0;
    for (const terminal of terminals) if (await this.showOnTerminal(terminal, lines)) places++;
    for (const display of displays) if (await this.showOnDesktop(display)) places++;
    return places;
  }

  /** Says on the terminals that the conversation has ended, and removes everything of it. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const close of this.dialogs.values()) close();
    for (const pipe of this.pipes.values())
      await pipe.close().catch((error: unknown) => this.links.log.error('A pipe for answers could not be removed.', error));
    await this.tell(() => true, terminalFarewell(this.sender));
  }

  private get sender(): string {
    const email = plainName(this.latest?.senderEmail ?? '', '');
    return plainName(this.latest?.senderName ?? '') + (email === '' ? '' : ` (${email})`);
  }

  private async showOnTerminal(terminal: LoginTerminal, lines: readonly string[]): Promise<boolean> {
    const pipe = await this.pipeFor(terminal);
    if (!(await printOn(terminal, terminalMessage(this.sender, lines, new Date(), pipe?.path)))) return false;
    this.terminals.set(terminal.path, terminal);
    return true;
  }

  /** A dialog takes an answer; where there is none, a notification names the pipe for it. */
  private async showOnDesktop(display: Display): Promise<boolean> {
    const { user } = display;
    if (user === undefined) return false;
    const message = { title: `Message from ${this.sender}`, text: this.entries.join('\n'), hint: '' };
    this.dialogs.get(display.number)?.();
    this.dialogs.delete(display.number);
    const close = await openDialog(display, message, {
      onAnswer: (answer) => void this.answer(user.name, user.uid, answer),
      onEnd: () => void this.endBy(user.name, user.uid),
      onFailure: () => void (this.isClosed || this.notifyOn(display, { user: user.name, uid: user.uid }, message)),
    });
    if (close !== undefined) {
      this.dialogs.set(display.number, close);
      return true;
    }
    return this.notifyOn(display, { user: user.name, uid: user.uid }, message);
  }

  private async notifyOn(display: Display, user: Pick<LoginTerminal, 'user' | 'uid'>, message: DesktopMessage): Promise<boolean> {
    const pipe = await this.pipeFor(user);
    return notify(display, { ...message, hint: pipe === undefined ? '' : `To answer, in a terminal: echo 'your answer' > ${pipe.path}` });
  }

  /** The pipe for the answers of the user; undefined when it cannot be made. The message is shown without it then. */
  private async pipeFor({ user, uid }: Pick<LoginTerminal, 'user' | 'uid'>): Promise<AnswerPipe | undefined> {
    const known = this.pipes.get(uid);
    if (known !== undefined) return known;
    try {
      const pipe = await AnswerPipe.open(await this.links.newPipePath(user), uid, async (answer) => this.answer(user, uid, answer));
      this.pipes.set(uid, pipe);
      return pipe;
    } catch (error) {
      this.links.log.error('Answers to chat messages cannot be taken.', error);
      return undefined;
    }
  }

  private async answer(user: string, uid: number, text: string): Promise<void> {
    if (endsConversation(text)) return this.endBy(user, uid);
    const message = plainLines(text).join('\n').trim().slice(0, MAX_CHAT_LENGTH);
    if (message === '') return;
    await this.pass(user, uid, message);
  }

  /** Ends the conversation for the person: the viewer gets an answer without text. */
  private async endBy(user: string, uid: number): Promise<void> {
    await this.pass(user, uid, '');
    this.links.onAbandoned();
  }

  private async pass(user: string, uid: number, message: string): Promise<void> {
    if (this.isClosed || this.latest === undefined) return;
    const { sessionId, targetProcessId, viewerConnectionId } = this.latest;
    const response = {
      sessionId,
      desktopSessionProcessId: targetProcessId,
      message,
      senderUsername: user,
      viewerConnectionId,
      timestamp: Timestamp.fromDate(new Date()),
    };
    try {
      if (!(await this.links.send(response))) return this.links.onAbandoned();
      if (message !== '') this.note(`${user}: ${message}`);
    } catch (error) {
      this.links.log.warn(`An answer could not be sent: ${messageOf(error)}`);
      await this.tell((terminal) => terminal.uid === uid, '\r\nYour answer could not be sent. Please try again.\r\n');
    }
  }

  private note(entry: string): void {
    this.entries.push(entry);
    if (this.entries.length > SHOWN_ENTRIES) this.entries.shift();
  }

  private async tell(whom: (terminal: LoginTerminal) => boolean, text: string): Promise<void> {
    for (const terminal of this.terminals.values()) if (whom(terminal)) await printOn(terminal, text);
  }
}

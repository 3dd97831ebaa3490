import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Timestamp, type ChatMessageHubDto, type ChatResponseHubDto } from '#libs/contracts';
import { Desktops } from '../desktop/desktops.js';
import type { Display } from '../desktop/displays.js';
import type { Log } from '../logs/log.js';
import { messageLines, plainLines } from './chat-text.js';
import { Chats } from './chats.js';
import { readLoginTerminals } from './login-terminals.js';
import { loginOf, Person, pipeOn, say } from './person.fixture.js';
import { isAlive, until } from '../waiting.fixture.js';

/** Chat with a person at a real terminal. Its line of `who` stands in for a login. */

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const PATH = process.env['PATH'];
const isRoot = process.getuid?.() === 0;

let root: string;
let person: Person;
let displays: Display[];
let responses: ChatResponseHubDto[];
let isViewerThere: boolean;
let chats: Chats;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'chat-'));
  await chmod(root, 0o755);
  // Neither dialogs nor notifications unless a test brings them.
  process.env['PATH'] = `${join(root, 'bin')}:/usr/bin:/bin`;
  person = new Person();
  const terminal = await person.terminal();
  displays = [];
  responses = [];
  isViewerThere = true;
  chats = new Chats({
    desktops: new Desktops(async () => displays),
    log: silent,
    folder: join(root, 'pipes'),
    send: async (response) => {
      responses.push(response);
      return isViewerThere;
    },
    readTerminals: async () => readLoginTerminals(async () => loginOf('anna', terminal)),
  });
});

afterEach(async () => {
  process.env['PATH'] = PATH;
  await chats.closeAll();
  person.leave();
  await rm(root, { recursive: true });
});

describe('chat at a terminal', () => {
  it('shows a message and brings the answer back', async () => {
    const sent = message('Please save your work.\nWe restart at noon.');
    await chats.show(sent);
    const screen = await person.reads('To answer');
    expect(screen).toMatch(
      /Message from Sam \(sam@example\.org\) at \d\d:\d\d:\r\n {2}Please save your work\.\r\n {2}We restart at noon\.\r\n/,
    );
    expect(say(pipeOn(screen), 'Done, thank you')).toBe(0);
    await until(() => responses[0]);
    expect(responses).toEqual([
      {
        sessionId: sent.sessionId,
        desktopSessionProcessId: 0,
        message: 'Done, thank you',
        senderUsername: 'anna',
        viewerConnectionId: 'viewer-1',
        timestamp: expect.any(Timestamp),
      },
    ]);
  });

  it.runIf(isRoot)('takes answers from the person alone', async () => {
    await chats.show(message('hello'));
    const pipe = pipeOn(await person.reads('To answer'));
    expect(say(pipe, 'forged', 65_534)).not.toBe(0);
    expect(say(pipe, 'real')).toBe(0);
    await until(() => responses[0]);
    expect(responses.map((response) => response.message)).toEqual(['real']);
  });

  it('prints nothing that a terminal would obey', async () => {
    await chats.show(message('a\u001b]0;title\u0007b\u009b31mc\u202ed\u0000e'));
    await person.reads('To answer');
    expect(person.screen).toContain('  a]0;titleb31mcde\r\n');
  });

  it('does not reach people who take no messages', async () => {
    await chmod(await person.terminal(), 0o600);
    await expect(chats.show(message('hello'))).rejects.toThrow('Nobody is signed in');
    expect(person.screen).not.toContain('hello');
  });

  it('tells the person when the conversation has ended, and takes no more answers', async () => {
    const sent = message('hello');
    await chats.show(sent);
    const pipe = pipeOn(await person.reads('To answer'));
    await chats.close(sent.sessionId);
    await person.reads('The conversation with Sam (sam@example.org) has ended.');
    await expect(access(pipe)).rejects.toThrow('ENOENT');
    await chats.closeAll();
    await expect(access(join(root, 'pipes'))).rejects.toThrow('ENOENT');
  });

  it('ends the conversation when the person says so, and tells the viewer by an answer without text', async () => {
    const sent = message('hello');
    await chats.show(sent);
    const screen = await person.reads('To end the conversation: echo /end > ');
    expect(say(pipeOn(screen), '/end')).toBe(0);
    await until(() => responses[0]);
    expect(responses).toMatchObject([{ sessionId: sent.sessionId, message: '', senderUsername: 'anna' }]);
    await person.reads('has ended.');
    await expect(access(pipeOn(screen))).rejects.toThrow('ENOENT');
  });

  it('ends the conversation when the viewer of an answer is gone', async () => {
    isViewerThere = false;
    await chats.show(message('hello'));
    say(pipeOn(await person.reads('To answer')), 'anybody there?');
    await person.reads('has ended.');
  });

  it('ends the conversation where its pipe cannot be removed, as on a disk that is read-only by now', async () => {
    const sent = message('hello');
    await chats.show(sent);
    const pipe = pipeOn(await person.reads('To answer'));
    await rm(pipe);
    await mkdir(join(pipe, 'something'), { recursive: true });
    await chats.close(sent.sessionId);
    await person.reads('has ended.');
  });

  it('takes answers as soon as there is room for their pipe', async () => {
    await writeFile(join(root, 'full'), '');
    const folder = join(root, 'full', 'pipes');
    const readTerminals = async () => readLoginTerminals(async () => loginOf('anna', await person.terminal()));
    chats = new Chats({ desktops: new Desktops(async () => []), log: silent, folder, send: async () => true, readTerminals });
    await chats.show(message('hello'));
    await person.reads('hello');
    expect(person.screen).not.toContain('To answer');
    await rm(join(root, 'full'));
    await chats.show(message('hello again'));
    expect(pipeOn(await person.reads('To answer'))).toContain(folder);
  });

  it('has at most 32 conversations, and refuses what cannot be shown as a whole', async () => {
    await expect(chats.show(message('x'.repeat(4_001)))).rejects.toThrow('at most 4000 characters');
    await expect(chats.show(message(' \u001b\n '))).rejects.toThrow('The message is empty.');
    const all = Array.from({ length: 32 }, (_, index) => message(`number ${index}`));
    for (const one of all) await chats.show(one);
    await expect(chats.show(message('one more'))).rejects.toThrow('Too many conversations');
    await chats.close(all[0].sessionId);
    await chats.show(message('one more'));
  });

  it('hands long input on in parts', async () => {
    await chats.show(message('hello'));
    expect(say(pipeOn(await person.reads('To answer')), 'y'.repeat(9_000))).toBe(0);
    await until(() => (responses.map((response) => response.message).join('').length === 9_000 ? true : undefined));
    for (const response of responses) expect(response.message.length).toBeLessThanOrEqual(4_000);
  });
});

describe('chat at a desktop', () => {
  const DESKTOP = 4242;

  beforeEach(async () => {
    const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, name: 'anna', environment: { SESSION: 'of anna' } };
    displays = [{ number: 77, processId: DESKTOP, authorityFile: undefined, isWithinWayland: false, user }];
    spawnSync('mkdir', [join(root, 'bin')]);
    // The person's terminal is not in question here.
    await chmod(await person.terminal(), 0o600);
  });

  /** Contents that an installed program has written, once this text is part of them. */
  const shown = (text: string): Promise<string> =>
    until(() => {
      const file = join(root, 'shown');
      const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return written.includes(text) ? written : undefined;
    });

  it('opens a dialog whose answer comes back', async () => {
    await install('zenity', `printf '%s|' "$DISPLAY" "$SESSION" "$@" > ${join(root, 'shown')}; echo 'On my way'`);
    await chats.show(message('Where_are you? \\n <b>', DESKTOP));
    await until(() => responses[0]);
    expect(responses).toMatchObject([{ message: 'On my way', senderUsername: 'anna', desktopSessionProcessId: DESKTOP }]);
    const dialog = await shown('<b>');
    expect(dialog).toContain(String.raw`:77|of anna|--entry|--title=Message from Sam (sam@example.org)|`);
    expect(dialog).toContain(String.raw`Where__are you? \\n <b>`);
  });

  it('has a button in the dialog that ends the conversation, which closing the dialog does not', async () => {
    await install('zenity', `printf '%s|' "$@" > ${join(root, 'shown')}; exit 1`);
    const sent = message('hello', DESKTOP);
    await chats.show(sent);
    await shown('|--extra-button=End chat|');
    expect(responses).toEqual([]);
    await install('zenity', `echo 'End chat'; exit 1`);
    await chats.show({ ...sent, message: 'still there?' });
    await until(() => responses[0]);
    expect(responses).toMatchObject([{ sessionId: sent.sessionId, message: '', senderUsername: 'anna' }]);
  });

  it.each([
    ['at once', 'exit 127'],
    ['only when it has been taken for shown', 'sleep 1.5; exit 127'],
  ])('shows a notification where the dialog fails %s', async (_, script) => {
    await install('zenity', script);
    await install('notify-send', `printf '%s|' "$@" > ${join(root, 'shown')}`);
    await chats.show(message('1 < 2 & so on', DESKTOP));
    const notification = await shown('1 &lt; 2 &amp; so on');
    say(/answer' &gt; (\S+)\|$/.exec(notification)?.[1] ?? '', 'seen');
    await until(() => responses[0]);
    expect(responses).toMatchObject([{ message: 'seen' }]);
  });

  it('is refused where nothing can be shown, and for a process that serves no desktop', async () => {
    // The machine may have a program that shows something.
    process.env['PATH'] = join(root, 'bin');
    await expect(chats.show(message('hello', DESKTOP))).rejects.toThrow('Nobody is signed in');
    await expect(chats.show(message('hello', 1))).rejects.toThrow('serves no desktop');
  });

  it('closes an open dialog with the conversation', async () => {
    await install('zenity', `echo $$ > ${join(root, 'shown')}; exec sleep 600`);
    const sent = message('hello', DESKTOP);
    await chats.show(sent);
    const pid = Number(await shown('\n'));
    await chats.close(sent.sessionId);
    await until(() => (isAlive(pid) ? undefined : true));
  });
});

describe('text of chats', () => {
  it('keeps letters, emoji and lines, and nothing else', () => {
    expect(plainLines('Grüße 👩‍🔧\r\nzwei\tdrei\rvier\u2028fünf ')).toEqual(['Grüße 👩‍🔧', 'zwei drei', 'vier', 'fünf']);
    expect(messageLines('\u2066x\u2069\ud800')).toEqual(['x']);
  });
});

function message(text: string, targetProcessId = 0): ChatMessageHubDto {
  return {
    deviceId: randomUUID(),
    sessionId: randomUUID(),
    message: text,
    senderName: 'Sam',
    senderEmail: 'sam@example.org',
    targetSystemSession: 0,
    targetProcessId,
    timestamp: Timestamp.fromDate(new Date()),
    viewerConnectionId: 'viewer-1',
  };
}

async function install(program: string, script: string): Promise<void> {
  await writeFile(join(root, 'bin', program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PwshCompletionMatchType, TerminalMode, TerminalOutputKind, type TerminalInputDto, type TerminalOutputDto } from '#libs/contracts';
import { FIRST_LOOKS } from '../files/first-looks.js';
import type { Log } from '../logs/log.js';
import { wordAt } from './command-line.js';
import { Completer } from './completions.js';
import { OutputQueue } from './output-queue.js';
import { firstPiece } from './output-text.js';
import { PromptReader, type ShellEvent } from './prompt-reader.js';
import { RawShell } from './raw-shell.js';
import { lineShell, rawShell, shellEnvironment } from './shells.js';
import { TerminalSessions } from './terminal-sessions.js';
import { isAlive, until } from '../waiting.fixture.js';

describe('PromptReader', () => {
  const printed = 'one\r\ntwo\r\n<<t0:0:/tmp/x y:t0>>three<<t0+>>four\r\n<<t0:127:/:t0>>';
  const expected: ShellEvent[] = [
    { kind: 'output', text: 'one\ntwo\n' },
    { kind: 'prompt', exitCode: 0, directory: '/tmp/x y' },
    { kind: 'output', text: 'three' },
    { kind: 'continuation' },
    { kind: 'output', text: 'four\n' },
    { kind: 'prompt', exitCode: 127, directory: '/' },
  ];

  it('parses the output, whatever pieces it arrives in', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: printed.length }), (sizes) => {
        const reader = new PromptReader('t0');
        const events: ShellEvent[] = [];
        let at = 0;
        for (const size of sizes) events.push(...reader.read(printed.slice(at, (at += size))));
        expect(merged(events)).toEqual(expected);
      }),
    );
  });

  it.each(['<<', '<<t0', '<<t0:1:/not closed', 'x <<t1:0:/:t1>> y', '<<t0:$?:$PWD:t0>>'])(
    'passes on "%s", which is not a prompt',
    (text) => {
      const reader = new PromptReader('t0');
      const events = [...reader.read(text), ...reader.read('\n<<t0:0:/:t0>>')];
      const output = events.map((event) => (event.kind === 'output' ? event.text : '')).join('');
      expect([output, events.at(-1)]).toEqual([`${text}\n`, { kind: 'prompt', exitCode: 0, directory: '/' }]);
    },
  );

  function merged(events: readonly ShellEvent[]): ShellEvent[] {
    const result: ShellEvent[] = [];
    for (const event of events) {
      const last = result.at(-1);
      if (event.kind === 'output' && last?.kind === 'output') result[result.length - 1] = { kind: 'output', text: last.text + event.text };
      else result.push(event);
    }
    return result;
  }
});

describe('firstPiece', () => {
  it('makes pieces that fit a message and join to the text', () => {
    const line = fc.string({ unit: fc.constantFrom('a', '\n', '\0', '"', '😀', 'ä'), minLength: 0, maxLength: 30_000 });
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 4 }), (text, times) => {
        const whole = text.repeat(times);
        const pieces = piecesOf(whole);
        expect(pieces.join('')).toBe(whole);
        for (const piece of pieces) {
          expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThan(90_000);
          expect(encodeURIComponent(piece)).toBeDefined();
        }
      }),
      { numRuns: 50 },
    );
  });

  it('cuts at line ends', () => {
    const pieces = piecesOf(`${'x'.repeat(99)}\n`.repeat(500));
    expect(pieces.map((piece) => piece.length)).toEqual([20_000, 20_000, 10_000]);
  });

  function piecesOf(text: string): string[] {
    const pieces: string[] = [];
    for (let rest = text; rest !== ''; rest = rest.slice(pieces.at(-1)?.length)) pieces.push(firstPiece(rest));
    return pieces;
  }
});

describe('OutputQueue', () => {
  interface Output {
    readonly output: string;
    readonly canJoin: boolean;
  }
  let sent: string[];
  let congestion: boolean[];
  let release: () => void;
  let queue: OutputQueue<Output>;

  beforeEach(() => {
    sent = [];
    congestion = [];
    const gate = new Promise<void>((resolve) => (release = resolve));
    queue = new OutputQueue<Output>(
      async ({ output }) => {
        await gate;
        sent.push(output);
      },
      (earlier, later) => earlier.canJoin && later.canJoin,
      (isCongested) => congestion.push(isCongested),
      silent,
    );
  });

  it('keeps the order, sends one message at a time, and pauses producers while it is behind', async () => {
    const outputs = ['a', 'b', 'c', 'd'].map((name) => name.repeat(100 * 1024));
    for (const output of outputs) queue.push({ output, canJoin: false });
    expect([sent, congestion]).toEqual([[], [true]]);
    release();
    await until(() => (sent.join('').length === 400 * 1024 ? true : undefined));
    expect(sent.join('')).toBe(outputs.join(''));
    expect(congestion).toEqual([true, false]);
    for (const message of sent) expect(message.length).toBeLessThanOrEqual(20_000);
  });

  it('joins what may be joined while a message is under way', async () => {
    for (const output of ['one ', 'two ', 'three ']) queue.push({ output, canJoin: true });
    queue.push({ output: 'alone', canJoin: false });
    release();
    await until(() => (sent.includes('alone') ? true : undefined));
    expect(sent).toEqual(['one ', 'two three ', 'alone']);
  });
});

describe('shells', () => {
  it.each([
    ['/usr/bin/zsh', '/bin/bash', '/usr/bin/zsh'],
    ['/bin/dash', '/bin/dash', '/bin/dash'],
    [undefined, '/bin/bash', '/bin/bash'],
  ])('for a user of %s are %s in line mode and %s in raw mode', (preferred, line, raw) => {
    const surroundings = { platform: 'linux', preferred, canRun: () => true } as const;
    expect([lineShell('t', surroundings).file, rawShell(surroundings)]).toEqual([line, raw]);
  });

  it('find a home and a locale also where a service manager gives none', () => {
    expect(shellEnvironment({ PATH: '/bin' })).toMatchObject({ PATH: '/bin', HOME: homedir(), LANG: 'C.UTF-8' });
    const complete = { PATH: '/bin', HOME: '/srv', USER: 'u', LOGNAME: 'u', SHELL: '/bin/sh', TZ: 'UTC', LC_CTYPE: 'de_DE.UTF-8' };
    expect(shellEnvironment(complete)).toEqual(complete);
  });

  it("get nothing else of the agent's environment", () => {
    const secrets = { DEVICE_AGENT_KEY_SECRET: 's', NODE_OPTIONS: 'o', AWS_SECRET_ACCESS_KEY: 'k', INVOCATION_ID: 'i', HOMEPATH: 'h' };
    expect(Object.keys(shellEnvironment(secrets))).not.toEqual(expect.arrayContaining([expect.stringMatching(/SECRET|NODE|INVOCATION/)]));
    const windows = { Path: 'C:\\Windows', SystemRoot: 'C:\\Windows', USERPROFILE: 'C:\\Users\\u' };
    expect(shellEnvironment({ ...windows, DEVICE_AGENT_KEY_SECRET: 's', NODE_OPTIONS: 'o' }, 'win32')).toEqual(windows);
  });

  it('fall back to sh where nothing else can be run', () => {
    const surroundings = { platform: 'darwin', preferred: '/gone/bash', canRun: () => false } as const;
    expect([lineShell('t', surroundings).file, rawShell(surroundings)]).toEqual(['/bin/sh', '/bin/sh']);
  });
});

describe('sessions with a real shell', () => {
  let outputs: { viewer: string; dto: TerminalOutputDto }[];
  let sessions: TerminalSessions;
  let id: string;
  const listeners = new Set<() => void>();

  beforeEach(() => {
    outputs = [];
    id = randomUUID();
    sessions = new TerminalSessions(record, silent);
  });

  afterEach(() => sessions.closeAll());

  async function record(viewer: string, dto: TerminalOutputDto): Promise<void> {
    outputs.push({ viewer, dto });
    for (const listener of listeners) listener();
  }

  function input(text: string, extra: Partial<TerminalInputDto> = {}): Promise<void> {
    return sessions.input({ terminalId: id, input: text, viewerConnectionId: 'v1', ...extra });
  }

  const texts = (): string[] => outputs.map(({ dto }) => dto.output);
  const prompts = (): number => texts().filter((text) => /^\/[^]*[#$>] $/.test(text)).length;

  /** Types a line and returns the output until the next prompt. */
  async function run(line: string): Promise<TerminalOutputDto[]> {
    const [from, shown] = [outputs.length, prompts()];
    await input(line);
    await until(() => (prompts() > shown ? true : undefined));
    return outputs.slice(from, -1).map(({ dto }) => dto);
  }

  it.each(['/bin/sh', '/bin/bash'])('begin with version and prompt, then print results without echo (%s)', async (shell) => {
    const before = process.env['SHELL'];
    process.env['SHELL'] = shell;
    try {
      await sessions.create(id, 'v1');
      await until(() => (outputs.length === 2 ? true : undefined));
      expect(texts()[0]).toContain(shell);
      expect(outputs[0].dto.supportsRaw).toBe(true);
      expect(outputs[1].dto).toMatchObject({ outputKind: TerminalOutputKind.StandardOutput });
      expect((await run('echo "a  b"; printf "no line end"')).map(({ output }) => output)).toEqual(['a  b\nno line end']);
    } finally {
      if (before === undefined) delete process.env['SHELL'];
      else process.env['SHELL'] = before;
    }
  });

  it('show prompts also in a directory with a line end in its name', async () => {
    const folder = join(await realpath(await mkdtemp(join(tmpdir(), 'terminal-'))), 'two\nlines');
    await mkdir(folder);
    onTestFinished(async () => rm(dirname(folder), { recursive: true }));
    await sessions.create(id, 'v1');
    await run(`cd '${dirname(folder)}'`);
    await run('cd two*');
    expect((await run('echo here')).map(({ output }) => output)).toEqual(['here\n']);
    expect(sessions.directoryOf(id)).toBe(folder);
  });

  it('start where the home of their account is missing', async () => {
    vi.stubEnv('HOME', '/nowhere/at/all');
    onTestFinished(() => void vi.unstubAllEnvs());
    await sessions.create(id, 'v1');
    expect((await run('pwd')).map(({ output }) => output)).toEqual(['/\n']);
    await input('pwd\r', { mode: TerminalMode.Raw });
    await until(() => (outputs.some(({ dto }) => dto.mode === TerminalMode.Raw && dto.output.includes('/\r\n')) ? true : undefined));
  });

  it('keep what commands change, and show the current directory', async () => {
    await sessions.create(id, 'v1');
    await run('cd /usr; color=blue');
    expect(texts().at(-1)).toMatch(/^\/usr[#$] $/);
    expect((await run('echo $color')).map(({ output }) => output)).toEqual(['blue\n']);
    expect(sessions.directoryOf(id)).toBe('/usr');
  });

  it('mark the output of a command that failed as error', async () => {
    await sessions.create(id, 'v1');
    const [failed] = await run('ls /nowhere-at-all');
    expect(failed).toMatchObject({ outputKind: TerminalOutputKind.StandardError, output: expect.stringContaining('nowhere-at-all') });
    const [fine] = await run('echo fine');
    expect(fine.outputKind).toBe(TerminalOutputKind.StandardOutput);
  });

  it('survive syntax errors, unfinished commands and programs that read input', async () => {
    await sessions.create(id, 'v1');
    const [syntax] = await run('if ) then');
    expect(syntax.outputKind).toBe(TerminalOutputKind.StandardError);
    await input('for i in 1 2; do');
    await until(() => (texts().at(-1) === '> ' ? true : undefined));
    expect((await run('echo $i; done')).map(({ output }) => output).join('')).toBe('1\n2\n');
    await input('read answer; echo "got $answer"');
    expect((await run('42')).map(({ output }) => output).join('')).toBe('got 42\n');
  });

  it('interrupt a command on Ctrl-C', async () => {
    await sessions.create(id, 'v1');
    const marker = join(tmpdir(), id);
    // The marker file shows that the command runs. Before that, Ctrl-C would reach the shell that is about to start it.
    // A redirection creates the file: a shell may attribute Ctrl-C to a program that ends at that moment, and continue.
    await input(`sh -c ': > ${marker}; exec sleep 1000'; echo not reached`);
    await until(() => (existsSync(marker) ? true : undefined));
    await run('\x03');
    rmSync(marker);
    expect(texts().join('')).not.toContain('not reached');
  });

  it('interrupt a flood of output, with a note, in bounded memory', async () => {
    await sessions.create(id, 'v1');
    await until(() => (prompts() === 1 ? true : undefined));
    await run('yes');
    const total = texts().reduce((length, text) => length + text.length, 0);
    expect(total).toBeLessThan(1.1 * 1024 * 1024);
    expect(texts().join('')).toContain('printed more than 1 MiB and was interrupted');
    expect((await run('echo alive')).map(({ output }) => output)).toEqual(['alive\n']);
  });

  it('refuse input that cannot be one line of a terminal', async () => {
    await sessions.create(id, 'v1');
    await expect(input('echo a\necho b')).rejects.toThrow('one line');
    await expect(input('x'.repeat(4001))).rejects.toThrow('4000 bytes');
    expect((await run(`echo ${'x'.repeat(3990)}`)).map(({ output }) => output.length)).toEqual([3991]);
  });

  it('start on demand, restart after exit, and answer the viewer that they belong to', async () => {
    await input('echo on demand');
    await until(() => (texts().includes('on demand\n') ? true : undefined));
    await input('exit');
    await until(() => texts().find((text) => text.startsWith('The shell has ended')));
    await input('echo again');
    await until(() => (texts().includes('again\n') && texts().at(-1) === texts()[1] ? true : undefined));
    await sessions.create(id, 'v2');
    await run('echo moved');
    expect(new Set(outputs.slice(0, -2).map(({ viewer }) => viewer))).toEqual(new Set(['v1']));
    expect(outputs.at(-1)?.viewer).toBe('v2');
  });

  it('keep input for a program that does not read it yet, refuse too much of it, and hold nothing else up', async () => {
    const raw = { mode: TerminalMode.Raw } as const;
    const folder = await mkdtemp(join(tmpdir(), 'terminal-'));
    onTestFinished(async () => rm(folder, { recursive: true }));
    const taken = join(folder, 'taken');
    // It waits for a file of this process, but not for ever.
    const waits = '[ ! -e go ] && [ $((n += 1)) -lt 100 ]';
    await input(`cd ${folder}; stty -echo; echo rea''dy; while ${waits}; do sleep 0.1; done; exec cat > taken\r`, raw);
    await until(() => texts().find((text) => text.includes('ready')));
    const lines = 'y\r'.repeat(32 * 1024);
    let accepted = 0;
    const flood = async (): Promise<void> => {
      for (; accepted < 64; accepted += 1) await input(lines, raw);
    };
    await expect(flood()).rejects.toThrow('does not read its input');
    await writeFile(join(folder, 'go'), '');
    await until(() => ((statSync(taken, { throwIfNoEntry: false })?.size ?? 0) >= lines.length ? true : undefined));
    await input('\x04', raw);
    await until(() => texts().find((text) => text.includes('The shell has ended')));
    expect(statSync(taken).size).toBe(accepted * lines.length);
  });

  it('show the end of a long output also when it is the end of their shell', async () => {
    for (let time = 0; time < 6; time += 1) {
      outputs = [];
      await input('exec seq 1 5000; true\r', { mode: TerminalMode.Raw });
      await until(() => texts().find((text) => text.includes('The shell has ended')));
      expect(texts().join('')).toMatch(/\r\n4999\r\n5000\r\n\r\n\[The shell has ended/);
    }
  });

  it('end when they are closed or idle', async () => {
    const shortLived = new TerminalSessions(record, silent, 50);
    await shortLived.create(id, 'v1');
    expect(shortLived.size).toBe(1);
    await until(() => (shortLived.size === 0 ? true : undefined));
    await sessions.create(id, 'v1');
    const [{ output }] = await run('echo $$');
    sessions.close(id);
    await until(() => (isAlive(Number(output)) ? undefined : true));
    expect(sessions.directoryOf(id)).toBeUndefined();
  });

  it('end when they are closed while their shell is to start', async () => {
    const looked = vi.spyOn(FIRST_LOOKS, 'statusAt').mockImplementation(async () => {
      sessions.close(id);
      return undefined;
    });
    onTestFinished(() => looked.mockRestore());
    await expect(input('pwd\r', { mode: TerminalMode.Raw })).rejects.toThrow('The terminal session has ended.');
    await expect(input('pwd')).rejects.toThrow('The terminal session has ended.');
    expect(outputs).toEqual([]);
  });

  it('end when they are closed though their shell does not listen to that', async () => {
    await sessions.create(id, 'v1');
    await run("trap '' HUP");
    const [{ output }] = await run('echo $$');
    sessions.close(id);
    await until(() => (isAlive(Number(output)) ? undefined : true));
  });

  it('begin again under the same id while one that was closed is still to start', async () => {
    const closed = sessions.create(id, 'v1');
    sessions.close(id);
    await Promise.all([expect(closed).rejects.toThrow('The terminal session has ended.'), sessions.create(id, 'v2')]);
    expect((await run('echo runs')).map(({ output }) => output)).toEqual(['runs\n']);
  });

  it('have a limit', async () => {
    const opened = Array.from({ length: 32 }, async () =>
      sessions.input({ terminalId: randomUUID(), input: '', viewerConnectionId: null }),
    );
    await expect(input('echo too many')).rejects.toThrow('Too many terminal sessions');
    await Promise.all(opened);
  });

  it('pass keys and colours through in raw mode, and return to line mode', async () => {
    const raw = { mode: TerminalMode.Raw } as const;
    await sessions.create(id, 'v1');
    await input('', { ...raw, columns: 100, rows: 30 });
    await input(String.raw`printf '\033[31m%s\033[0m' re''d; stty size` + '\r', raw);
    const printed = (): string =>
      outputs
        .filter(({ dto }) => dto.mode === TerminalMode.Raw)
        .map(({ dto }) => dto.output)
        .join('');
    await until(() => (printed().includes('\u001b[31mred\u001b[0m') && printed().includes('30 100') ? true : undefined));
    await input('echo lines again');
    await until(() => (texts().includes('lines again\n') ? true : undefined));
  });

  it('stay paused for a viewer that takes no output when another shell takes their place', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const stalled = new TerminalSessions(async () => gate, silent);
    const typed = async (text: string, mode?: TerminalMode): Promise<void> =>
      stalled.input({ terminalId: id, input: text, viewerConnectionId: 'v1', ...(mode !== undefined && { mode }) });
    const paused = vi.spyOn(RawShell.prototype, 'pause');
    try {
      await typed('yes\r', TerminalMode.Raw);
      await until(() => paused.mock.contexts[0]);
      await typed('echo a line');
      await typed('yes\r', TerminalMode.Raw);
      expect(new Set(paused.mock.contexts).size).toBe(2);
    } finally {
      paused.mockRestore();
      release();
      stalled.closeAll();
    }
  });

  it('pause for a viewer that takes no output in raw mode', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let taken = 0;
    const stalled = new TerminalSessions(async (_, { output }) => {
      await gate;
      taken += output.length;
    }, silent);
    await stalled.input({ terminalId: id, input: 'yes\r', viewerConnectionId: 'v1', mode: TerminalMode.Raw });
    const grown = await settled(() => process.memoryUsage().heapUsed + process.memoryUsage().external);
    expect(grown).toBeLessThan(64 * 1024 * 1024);
    release();
    await until(() => (taken > 1024 * 1024 ? true : undefined));
    stalled.closeAll();
  });

  /** Waits until the figure stops growing and returns its growth. */
  async function settled(figure: () => number): Promise<number> {
    const start = figure();
    let [highest, since] = [start, Date.now()];
    await until(() => {
      if (figure() > highest + 1024 * 1024) [highest, since] = [figure(), Date.now()];
      return Date.now() - since > 500 ? true : undefined;
    });
    return highest - start;
  }
});

describe('completions', () => {
  let root: string;
  const request = { deviceId: randomUUID(), terminalId: randomUUID(), viewerConnectionId: '', page: 0, pageSize: 50, forward: null };
  const complete = (completer: Completer, text: string, extra: object = {}) =>
    completer.complete({ ...request, lastCompletionInput: text, lastCursorIndex: text.length, ...extra }, root);

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'complete-')));
    await mkdir(join(root, 'alpha dir'));
    for (const name of ['alpha.txt', 'beta.txt', '.hidden']) await writeFile(join(root, name), '');
    await mkdir(join(root, 'bin'));
    await writeFile(join(root, 'bin', 'my-tool'), '');
    await chmod(join(root, 'bin', 'my-tool'), 0o755);
    await writeFile(join(root, 'bin', 'my-text'), '');
  });

  afterEach(async () => rm(root, { recursive: true }));

  it.each([
    ['ls al', 5, { start: 3, text: 'al', isCommand: false }],
    ['ls al more', 5, { start: 3, text: 'al', isCommand: false }],
    ['  gi', 4, { start: 2, text: 'gi', isCommand: true }],
    ['a && gi', 7, { start: 5, text: 'gi', isCommand: true }],
    ['sudo LANG=C gi', 14, { start: 12, text: 'gi', isCommand: true }],
    ['gi > sudo', 9, { start: 5, text: 'sudo', isCommand: false }],
    ['cat a\\ b', 8, { start: 4, text: 'a\\ b', plain: 'a b', isCommand: false }],
    ['cat "a b', 8, { start: 4, text: '"a b', plain: 'a b', quote: '"' }],
    ["cat 'a;b", 8, { start: 4, text: "'a;b", plain: 'a;b', quote: "'" }],
    ['echo 👩 al', 10, { start: 8, text: 'al' }],
    ['', 0, { start: 0, text: '', isCommand: true }],
    ['ls', -5, { start: 0, text: '', isCommand: true }],
  ])('find the word of "%s" at %i', (input, cursor, word) => expect(wordAt(input, cursor)).toMatchObject(word));

  it.each([
    ['cat "al', '"alpha dir/'],
    ["cat 'alpha d", "'alpha dir/"],
    ['cat "alpha.t', '"alpha.txt"'],
    ['cp --target-directory=al', 'alpha\\ dir/'],
    ['OUT=al', 'alpha\\ dir/'],
    ['cat $BASE/al', '$BASE/alpha\\ dir/'],
    ['cat <al', 'alpha\\ dir/'],
    ['cd li', 'link/'],
    ['cat "😀', '"😀 \\$1"'],
  ])('keep what was typed of "%s"', async (text, completed) => {
    await symlink(join(root, 'bin'), join(root, 'link'));
    await writeFile(join(root, '😀 $1'), '');
    const { completionMatches, replacementIndex, replacementLength } = await complete(new Completer({ BASE: root }), text);
    expect(completionMatches[0].completionText).toBe(completed);
    expect(replacementIndex + replacementLength).toBe(text.length);
  });

  it('list variables', async () => {
    const environment = { HOME: '/home/anna', HOMEPAGE: 'x', LANG: 'C' };
    const names = async (text: string): Promise<string[]> =>
      (await complete(new Completer(environment), text)).completionMatches.map(({ completionText }) => completionText);
    expect(await names('echo $HO')).toEqual(['$HOME', '$HOMEPAGE', '$HOSTNAME']);
    expect(await names('echo "in ${HOMEP')).toEqual(['${HOMEPAGE}']);
    expect(await names("echo '$HO")).toEqual([]);
    expect(await complete(new Completer(environment), 'echo a$LA')).toMatchObject({ replacementIndex: 6, replacementLength: 3 });
  });

  it('quote as PowerShell does where that is the shell', async () => {
    const first = async (text: string): Promise<string> =>
      (await complete(new Completer({}, 'powershell'), text)).completionMatches[0].completionText;
    await writeFile(join(root, "it's"), '');
    expect(await first('cat it')).toBe("'it''s'");
    expect(await first('cat alpha.t')).toBe('alpha.txt');
    expect(await first('cat "alpha d')).toBe('"alpha dir/');
  });

  it('list files and directories, escaped for the shell', async () => {
    const answer = await complete(new Completer(), 'cat al');
    expect(answer).toMatchObject({ replacementIndex: 4, replacementLength: 2, totalCount: 2, hasMorePages: false });
    expect(answer.completionMatches).toEqual([
      expect.objectContaining({ completionText: 'alpha\\ dir/', matchType: PwshCompletionMatchType.ProviderContainer }),
      expect.objectContaining({
        completionText: 'alpha.txt',
        matchType: PwshCompletionMatchType.ProviderItem,
        toolTip: join(root, 'alpha.txt'),
      }),
    ]);
    expect((await complete(new Completer(), 'cat .h')).completionMatches).toHaveLength(1);
    expect((await complete(new Completer(), `cat ${root}/be`)).completionMatches[0].completionText).toBe(`${root}/beta.txt`);
  });

  it('list programs at the start of a command', async () => {
    const completer = new Completer({ PATH: `${join(root, 'bin')}${delimiter}${join(root, 'none')}` });
    const { completionMatches } = await complete(completer, 'true; my');
    expect(completionMatches.map(({ completionText, matchType }) => [completionText, matchType])).toEqual([
      ['my-tool', PwshCompletionMatchType.Command],
    ]);
  });

  it('come in pages, or as their number when there are too many', async () => {
    await mkdir(join(root, 'many'));
    for (let index = 100; index < 220; index++) await writeFile(join(root, 'many', `f${index}`), '');
    const second = await complete(new Completer(), 'cat many/', { page: 2 });
    expect(second).toMatchObject({ totalCount: 120, currentPage: 2, hasMorePages: false });
    expect(second.completionMatches.map(({ listItemText }) => listItemText).at(0)).toBe('f200');
    for (let index = 220; index < 620; index++) await writeFile(join(root, 'many', `f${index}`), '');
    expect(await complete(new Completer(), 'cat many/')).toMatchObject({ totalCount: 520, completionMatches: [], hasMorePages: false });
  });

  it('step forward and back, and wrap around', async () => {
    const completer = new Completer();
    const step = async (forward: boolean): Promise<string> =>
      (await complete(completer, 'cat al', { forward })).completionMatches[0].listItemText;
    expect([await step(true), await step(true), await step(true), await step(false)]).toEqual([
      'alpha dir',
      'alpha.txt',
      'alpha dir',
      'alpha.txt',
    ]);
  });
});

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

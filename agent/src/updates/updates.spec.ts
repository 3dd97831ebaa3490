import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundlePlatform, signedBundleText, type AgentBundle } from '#libs/contracts';
import type { RunCommand } from '../commands.js';
import { Program } from '../service/program.js';
import { until } from '../waiting.fixture.js';
import { downloadBundle } from './download.js';
import { offeredBundle, requireSignature } from './offered-bundle.js';
import { Updater } from './updater.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
const OTHER_KEY = Buffer.alloc(32, 1).toString('base64');
const CONTENTS = 'the bundle';

function bundle(values: Partial<AgentBundle> = {}): AgentBundle {
  const described = {
    runtime: bundlePlatform(process.platform, process.arch),
    version: '1.2.3.4',
    size: CONTENTS.length,
    sha256: createHash('sha256').update(CONTENTS).digest('hex'),
  };
  const signature = sign(null, Buffer.from(signedBundleText(described)), privateKey).toString('base64');
  return { ...described, downloadUrl: '/downloads/bundle', publicKey: KEY, signature, ...values };
}

describe('the signature of a bundle', () => {
  it('is taken from the pinned key', () => {
    expect(() => requireSignature(bundle(), KEY)).not.toThrow();
  });

  it.each<[string, Partial<AgentBundle>]>([
    ['another hash', { sha256: 'a'.repeat(64) }],
    ['another size', { size: 11 }],
    ['another platform', { runtime: 'linux-mips' }],
    ['another version', { version: '1.2.3.5' }],
  ])('does not hold for %s', (_, changed) => {
    expect(() => requireSignature(bundle(changed), KEY)).toThrow('signature');
  });

  it('is refused from another key, with both fingerprints', () => {
    expect(() => requireSignature(bundle(), OTHER_KEY)).toThrow(/signs updates with the key SHA256:\S+, but SHA256:\S+ was there/);
  });
});

describe('the answer of a server', () => {
  let server: Server;
  let answer: { status: number; body: string };
  let folder: string;
  const signal = new AbortController().signal;
  const uri = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'updates-'));
    server = createServer((_, response) => response.writeHead(answer.status).end(answer.body)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  });

  it('is nothing where no bundle is published', async () => {
    answer = { status: 404, body: '' };
    expect(await offeredBundle(uri(), signal)).toBeUndefined();
  });

  it.each<[string, object]>([
    ['size', { size: 1e12 }],
    ['downloadUrl', { downloadUrl: '//elsewhere.example.org/bundle' }],
    ['sha256', { sha256: '../x' }],
    ['linux-mips', { runtime: 'linux-mips' }],
    ['publicKey', { publicKey: 5 }],
  ])('is refused with a wrong %s', async (name, changed) => {
    answer = { status: 200, body: JSON.stringify({ ...bundle(), ...changed }) };
    await expect(offeredBundle(uri(), signal)).rejects.toThrow(name === 'size' ? 'bytes' : name);
  });

  it.each([
    ['longer than described', `${CONTENTS}!`, 'larger than the 10 bytes'],
    ['changed', 'The Bundle', 'has the hash'],
    ['cut short', 'the', 'has the hash'],
  ])('is refused when the download is %s', async (_, body, reason) => {
    answer = { status: 200, body };
    await expect(downloadBundle(uri(), bundle(), join(folder, 'bundle'), signal)).rejects.toThrow(reason);
  });

  it('may take any time to come, unless nothing more of it comes', async () => {
    let stopsAt = CONTENTS.length;
    server.removeAllListeners('request');
    server.on('request', (_, response) => {
      let sent = 0;
      const timer = setInterval(() => {
        if (sent < stopsAt) response.write(CONTENTS[sent++]);
        else if (sent === CONTENTS.length) response.end();
        // The process stands still for longer than the limit.
        if (sent === 5) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
      }, 100);
      response.once('close', () => clearInterval(timer));
    });
    const begun = performance.now();
    await downloadBundle(uri(), bundle(), join(folder, 'bundle'), signal, 900);
    expect(performance.now() - begun).toBeGreaterThan(900);
    stopsAt = 3;
    await expect(downloadBundle(uri(), bundle(), join(folder, 'bundle'), signal, 900)).rejects.toThrow('sends nothing more');
  });

  /** A program of a bundle that its launcher has started, on a server that offers another one. */
  async function launchedProgram(): Promise<Program> {
    const launched = { DEVICE_AGENT_LAUNCHER: folder };
    const program = Program.of(join(folder, 'versions', 'a'.repeat(64), 'dist', 'agent', 'src', 'main.js'), launched);
    if (program === undefined) throw new Error('It is no program of a bundle.');
    await mkdir(program.folderOf(program.version), { recursive: true });
    failures.length = 0;
    warnings.length = 0;
    server.prependListener('request', ({ url }) => {
      answer = { status: 200, body: url === '/downloads/bundle' ? CONTENTS : JSON.stringify(bundle()) };
    });
    return program;
  }

  const HOUR_MS = 3_600_000;

  it.each([
    [1, 1],
    [2, 2],
    [5, 16],
  ])('is postponed after %i trials without the server, for hours: %i', async (trials, hours) => {
    const program = await launchedProgram();
    const version = bundle().sha256;
    await writeFile(join(folder, 'postponed'), `${'c'.repeat(64)}\n${`${version}\n`.repeat(trials)}`);
    const updater = new Updater({ program, serverUri: uri(), pinnedKey: KEY, log, run: unpack, onReady: () => undefined });
    const checkAfter = async (hoursSince: number): Promise<string> => {
      const failed = new Date(Date.now() - hoursSince * HOUR_MS);
      await utimes(join(folder, 'postponed'), failed, failed);
      await updater.check();
      return readlink(join(folder, 'current')).catch(() => 'as before');
    };
    expect(await checkAfter(hours - 0.1)).toBe('as before');
    expect(warnings.join('\n')).toContain('the server could not be reached or take reports when it was tried. It is tried again after ');
    expect(await checkAfter(hours + 0.1)).toBe(`versions/${version}`);
    expect(failures).toEqual([]);
  });

  it('is not kept from being tried again by a clock that was set back', async () => {
    const program = await launchedProgram();
    await writeFile(join(folder, 'postponed'), `${bundle().sha256}\n`);
    const later = new Date(Date.now() + 1_000 * HOUR_MS);
    await utimes(join(folder, 'postponed'), later, later);
    await new Updater({ program, serverUri: uri(), pinnedKey: KEY, log, run: unpack, onReady: () => undefined }).check();
    expect(await readlink(join(folder, 'current'))).toBe(`versions/${bundle().sha256}`);
  });

  it('records in its trial whether the server can be reached, until it is accepted', async () => {
    const program = await launchedProgram();
    const note = join(folder, 'server-away');
    const updater = new Updater({ program, serverUri: uri(), pinnedKey: KEY, log, run: unpack, onReady: () => undefined });
    await updater.onAttempt(false);
    expect(existsSync(note)).toBe(false);
    await writeFile(join(folder, 'trial'), `${'b'.repeat(64)}\n`);
    await updater.onAttempt(false);
    expect(await readFile(note, 'utf8')).toBe(`${program.version}\n`);
    await updater.onAttempt(true);
    expect(existsSync(note)).toBe(false);
    await updater.onAttempt(false);
    await writeFile(join(folder, 'postponed'), `${program.version}\n`);
    await writeFile(join(program.folderOf(program.version), 'device-agent'), 'launcher');
    await updater.onAccepted();
    await updater.onAttempt(false);
    expect((await readdir(folder)).sort()).toEqual(['device-agent', 'versions']);
    expect(failures).toEqual([]);
  });

  const failures: unknown[] = [];
  const warnings: string[] = [];
  const unpack: RunCommand = async ([, , , , unpacked = '']) => {
    await writeFile(join(unpacked, 'device-agent'), '');
    return '';
  };
  const log = {
    info: () => undefined,
    warn: (line: string) => void warnings.push(line),
    error: (_: string, cause: unknown) => void failures.push(cause),
  };

  it('leaves nothing behind where there is no room for a bundle', async () => {
    const program = await launchedProgram();
    const run = async ([, , , , unpacked]: readonly string[]): Promise<string> => {
      await writeFile(join(unpacked, 'half'), '');
      throw new Error('No space left on device');
    };
    const updater = new Updater({ program, serverUri: uri(), pinnedKey: KEY, log, run, onReady: () => undefined });
    await updater.check();
    expect(failures.map(String)).toEqual(['Error: No space left on device']);
    expect(await readdir(join(folder, 'versions'))).toEqual([program.version]);
  });

  it.skipIf(!existsSync('/dev/full'))('leaves nothing behind where there is no room to begin its trial', async () => {
    const program = await launchedProgram();
    await symlink('/dev/full', join(folder, 'trial.new'));
    await new Updater({ program, serverUri: uri(), pinnedKey: KEY, log, run: unpack, onReady: () => undefined }).check();
    expect(String(failures[0])).toContain('ENOSPC');
    expect(await readdir(join(folder, 'versions'))).toEqual([program.version]);
  });

  it('makes room for its download by removing what an agent has left that was killed', async () => {
    const program = await launchedProgram();
    const versions = join(folder, 'versions');
    for (const left of [`${bundle().sha256}.new`, `${'d'.repeat(64)}.new`]) await mkdir(join(versions, left));
    let found: string[] = [];
    server.prependListener('request', ({ url }) => void (url === '/downloads/bundle' && (found = readdirSync(versions))));
    await new Updater({ program, serverUri: uri(), pinnedKey: KEY, log, run: unpack, onReady: () => undefined }).check();
    expect(found).toEqual([program.version]);
    expect(await readlink(join(folder, 'current'))).toBe(`versions/${bundle().sha256}`);
  });

  it('has minutes to be unpacked', async () => {
    const program = await launchedProgram();
    let limitMs = 0;
    const run: RunCommand = async ([, , , , unpacked = ''], timeoutMs = 0) => {
      limitMs = timeoutMs;
      await mkdir(join(unpacked, 'dist'));
      for (const name of ['device-agent', 'dist/main.js']) await writeFile(join(unpacked, name), name);
      return '';
    };
    const ready = new Promise<void>((resolve) => {
      const updater = new Updater({ program, serverUri: uri(), pinnedKey: KEY, log, run, onReady: resolve });
      void updater.check();
    });
    await ready;
    expect(limitMs).toBeGreaterThanOrEqual(10 * 60_000);
    expect(await readlink(join(folder, 'current'))).toBe(`versions/${bundle().sha256}`);
  });

  it('is asked for once, however often the connection comes back', async () => {
    const program = await launchedProgram();
    const updater = new Updater({ program, serverUri: uri(), pinnedKey: KEY, log, run: async () => '', onReady: () => undefined });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (let accepted = 0; accepted < 20; accepted += 1) await updater.onAccepted();
    expect(vi.getTimerCount()).toBe(1);
    updater.stop();
    expect(vi.getTimerCount()).toBe(0);
    await updater.onAccepted();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is asked for again when a report is accepted, if the server did not answer at the start', async () => {
    const requests: (string | undefined)[] = [];
    let isAway = true;
    server.prependListener('request', ({ url }) => {
      requests.push(url);
      // As a gateway answers whose server is away.
      if (isAway) answer = { status: 502, body: '' };
    });
    const program = await launchedProgram();
    let isReady = false;
    const onReady = (): void => void (isReady = true);
    const updater = new Updater({ program, serverUri: uri(), pinnedKey: KEY, log, run: unpack, onReady, spreadMs: 0 });
    await updater.start();
    await until(() => (failures.length === 1 ? true : undefined));
    isAway = false;
    await updater.onAccepted();
    await until(() => (isReady ? true : undefined));
    updater.stop();
    expect(requests).toEqual([requests[0], requests[0], '/downloads/bundle']);
  });

  it('is not asked for again when a report is accepted, if the server answered at the start', async () => {
    server.prependListener('request', () => (answer = { status: 404, body: '' }));
    const program = await launchedProgram();
    const updater = new Updater({ program, serverUri: uri(), pinnedKey: KEY, log, run: unpack, onReady: () => undefined, spreadMs: 0 });
    const checks = vi.spyOn(updater, 'check');
    await updater.start();
    await updater.onAccepted();
    // Begins after a check that was put off by no time.
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(checks).toHaveBeenCalledTimes(1);
    updater.stop();
    expect(failures).toEqual([]);
  });

  it('is downloaded at most five times in six hours, however often the connection comes back, unless the server asks', async () => {
    const program = await launchedProgram();
    let downloads = 0;
    // As with a line on which no download comes to its end.
    server.prependListener('request', ({ url, socket }) => {
      if (url !== '/downloads/bundle') return;
      downloads += 1;
      socket.destroy();
    });
    let checks = 0;
    const updater = new Updater({
      program,
      serverUri: uri(),
      pinnedKey: KEY,
      log,
      run: unpack,
      onReady: () => undefined,
      spreadMs: 0,
      downloadSpreadMs: 1,
    });
    server.prependListener('request', ({ url }) => void (checks += url === '/downloads/bundle' ? 0 : 1));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await updater.start();
    const seen = async (answered: number): Promise<void> =>
      void (await until(() => failures.length + warnings.length === answered || undefined));
    await seen(1);
    for (let accepted = 0; accepted <= 7; accepted += 1) {
      await updater.onAccepted();
      // The first one confirms the version and causes no check.
      if (accepted > 0) await seen(accepted + 1);
    }
    expect([checks, downloads, warnings.at(-1)]).toEqual([8, 5, expect.stringContaining('5 downloads have failed')]);
    vi.advanceTimersByTime(6 * HOUR_MS);
    await seen(9);
    expect(downloads).toBe(6);
    for (let more = 0; more < 5; more += 1) await updater.check();
    expect(downloads).toBe(10);
    await updater.onAsked();
    expect(downloads).toBe(11);
    updater.stop();
  });

  it('is downloaded after a random wait when the server asks, which may ask all agents at once', async () => {
    const program = await launchedProgram();
    const requests: (string | undefined)[] = [];
    let isWaiting = false;
    server.prependListener('request', ({ url }) => requests.push(url));
    const options = { program, serverUri: uri(), pinnedKey: KEY, run: unpack, onReady: () => undefined };
    const info = (line: string): void => void (isWaiting ||= line.startsWith('The download of version 1.2.3.4 begins in '));
    // A random wait of less than a minute among some days is as good as impossible.
    const patient = new Updater({ ...options, log: { ...log, info }, downloadSpreadMs: 2 ** 31 });
    const asked = patient.onAsked();
    await until(() => (isWaiting || requests.includes('/downloads/bundle') ? true : undefined));
    expect(requests).toHaveLength(1);
    patient.stop();
    await asked;
    expect([requests.length, failures]).toEqual([1, []]);

    await new Updater({ ...options, log, downloadSpreadMs: 1 }).onAsked();
    expect(requests.slice(1)).toEqual([requests[0], '/downloads/bundle']);
  });

  it('is asked for where the folder of the program cannot be read', async () => {
    const program = await launchedProgram();
    await mkdir(join(folder, 'rolled-back'));
    const asked = once(server, 'request');
    const updater = new Updater({ program, serverUri: uri(), pinnedKey: OTHER_KEY, log, run: async () => '', onReady: () => undefined });
    await updater.start();
    await asked;
    updater.stop();
    expect(String(failures[0])).toContain('EISDIR');
  });
});

import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('install.sh', import.meta.url));
const DOWNLOADERS = ['curl', 'wget'].filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0);
const isPossible = process.platform !== 'win32' && DOWNLOADERS.length > 0;

const CHECK = '/api/agent/installer-keys/check';
const KEY_ID = '019a5b3c-5e51-7fbb-81d8-0922a4cb1ea2';

/** Stands for Node.js in the bundle: does with the program what "device-agent install" does, unless it is told to fail. */
const NODE = `#!/bin/sh
version=$(dirname "$(dirname "$(dirname "$0")")")
root=$(dirname "$(dirname "$version")")
echo "$*" >>"$ASKED"
cat >/dev/null
[ "\${FAILS-}" != installing ] || exit 3
[ "\${FAILS-}" != 'being ended' ] || { kill -TERM "$PPID"; exit 3; }
[ "\${FAILS-}" = 'being old' ] || ln -sfn "versions/$(basename "$version")" "$root/current"
echo a launcher >"$root/device-agent"
[ "\${FAILS-}" != 'being ended late' ] || kill -TERM "$PPID"
`;

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

describe.skipIf(!isPossible)(`install.sh${isPossible ? '' : ' (skipped: it needs curl or wget)'}`, () => {
  let folder: string;
  let server: Server;
  let url: string;
  /** Answers by path. A path without one is answered 404. */
  let answers: Map<string, string | Buffer>;
  let asked: string[];
  let bodies: string[];
  /** Status of the answer to the check of a key. */
  let keyStatus: number;
  let keyHeaders: Record<string, string>;
  let sha256: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'install-sh-'));
    answers = new Map();
    asked = [];
    bodies = [];
    [keyStatus, keyHeaders] = [204, {}];
    server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/(linux|osx)-(x64|arm64)/, 'PLATFORM');
      asked.push(path);
      const answer = answers.get(path);
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => {
        if (path === CHECK && keyStatus !== 0) response.writeHead(keyStatus, keyHeaders).end();
        else response.writeHead(answer === undefined ? 404 : 200).end(answer);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await offer('first');
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  });

  const at = (path: string): string => join(folder, path);

  /** Publishes a bundle. */
  async function offer(contents: string): Promise<void> {
    await mkdir(at('source/runtime/bin'), { recursive: true });
    await writeFile(at('source/runtime/bin/node'), NODE, { mode: 0o755 });
    await writeFile(at('source/contents'), contents);
    await promisify(execFile)('tar', ['-czf', at('bundle.tar.gz'), '-C', at('source'), '.']);
    await rm(at('source'), { recursive: true });
    publish(await readFile(at('bundle.tar.gz')));
    await rm(at('bundle.tar.gz'));
  }

  function publish(bundle: Buffer): void {
    sha256 = createHash('sha256').update(bundle).digest('hex');
    answers.set('/downloads/PLATFORM/device-agent.json', JSON.stringify({ sha256 }));
    answers.set('/downloads/PLATFORM/device-agent.tar.gz', bundle);
  }

  async function install(environment: NodeJS.ProcessEnv = {}, ...options: string[]): Promise<Ended> {
    const words = [SCRIPT, '--server', url, '--tenant', 't', '--prefix', at('opt/made/agent'), ...options];
    const child = spawn('sh', words, { env: { ...process.env, ASKED: at('asked'), ...environment }, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stderr };
  }

  /** Everything below the folder of programs, except the contents of the bundles. */
  async function everything(): Promise<string[]> {
    const names: string[] = await readdir(at('opt'), { recursive: true });
    return names.filter((name) => !/current\/|versions\/.*\//.test(name)).sort();
  }

  it('installs a bundle, and another one over it', async () => {
    expect(await install()).toEqual({ code: 0, stderr: '' });
    expect(await readFile(at('asked'), 'utf8')).toMatch(/main\.js install --server http\S+ --tenant t\n$/);
    const first = sha256;
    const around = ['made', 'made/agent', 'made/agent/current', 'made/agent/device-agent', 'made/agent/versions'];
    expect(await everything()).toEqual([...around, `made/agent/versions/${first}`]);
    await offer('second');
    expect(await install()).toEqual({ code: 0, stderr: '' });
    expect(await readlink(at('opt/made/agent/current'))).toBe(`versions/${sha256}`);
    expect(await everything()).toEqual([...around, ...[first, sha256].sort().map((hash) => `made/agent/versions/${hash}`)]);
  });

  it('repairs an installation that was damaged, as by a loss of power', async () => {
    await install();
    const around = await everything();
    const node = at(`opt/made/agent/versions/${sha256}/runtime/bin/node`);
    await truncate(node);
    expect(await install()).toEqual({ code: 0, stderr: '' });
    expect(await readFile(node, 'utf8')).toBe(NODE);
    expect((await readFile(at('asked'), 'utf8')).trim().split('\n')).toHaveLength(2);
    expect(await everything()).toEqual(around);
  });

  it('leaves another version that is there when it cannot be installed', async () => {
    await install();
    const first = sha256;
    await offer('second');
    await install();
    await writeFile(at(`opt/made/agent/versions/${first}/mine`), '');
    await offer('first');
    expect((await install({ FAILS: 'installing' })).code).not.toBe(0);
    expect(await readdir(at(`opt/made/agent/versions/${first}`))).toContain('mine');
    expect(await readdir(at('opt/made/agent'))).toEqual(expect.not.arrayContaining([expect.stringMatching(/^install\./)]));
  });

  const withoutBundle = async (): Promise<void> => void answers.delete('/downloads/PLATFORM/device-agent.tar.gz');
  const failures: [what: string, prepare: () => Promise<void>, environment: NodeJS.ProcessEnv, message: string][] = [
    ['nothing is published', async () => answers.clear(), {}, 'cannot be downloaded'],
    ['the bundle is missing', withoutBundle, {}, 'cannot be downloaded'],
    [
      'the description is odd',
      async () => void answers.set('/downloads/PLATFORM/device-agent.json', '{}'),
      {},
      'no description of a bundle',
    ],
    ['the hash is wrong', async () => void answers.set('/downloads/PLATFORM/device-agent.tar.gz', 'x'), {}, 'The bundle has the hash'],
    ['the bundle is no archive', async () => publish(Buffer.from('no archive')), {}, 'cannot be unpacked'],
    ['the agent cannot be installed', async () => undefined, { FAILS: 'installing' }, ''],
    ['the bundle is older', async () => undefined, { FAILS: 'being old' }, 'This bundle is older than install.sh.'],
    ['it is ended', async () => undefined, { FAILS: 'being ended' }, ''],
  ];

  it.each(failures)('leaves nothing behind when %s', async (_, prepare, environment, message) => {
    await mkdir(at('opt'));
    await prepare();
    const { code, stderr } = await install(environment);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    expect(await everything()).toEqual([]);
  });

  it.each(failures)('leaves the version before as it was when %s', async (_, prepare, environment, message) => {
    await install();
    await writeFile(at('opt/made/agent/refused'), 'a version\n');
    const before = await everything();
    const link = await readlink(at('opt/made/agent/current'));
    await offer('second');
    await prepare();
    const { code, stderr } = await install(environment);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    expect(await everything()).toEqual(before);
    expect(await readlink(at('opt/made/agent/current'))).toBe(link);
  });

  it('keeps what is installed when a signal comes after that', async () => {
    await install({ FAILS: 'being ended late' });
    expect(await readlink(at('opt/made/agent/current'))).toBe(`versions/${sha256}`);
    expect(await everything()).toContain(`made/agent/versions/${sha256}`);
  });

  it('leaves a folder that was there, with what is in it', async () => {
    await mkdir(at('opt/made/agent'), { recursive: true });
    await writeFile(at('opt/made/agent/mine'), '');
    await install({ FAILS: 'installing' });
    expect(await everything()).toEqual(['made', 'made/agent', 'made/agent/mine']);
  });

  describe.each(DOWNLOADERS)('with %s', (downloader) => {
    /** An environment in which only one of both programs is found. */
    async function environment(secret?: string): Promise<NodeJS.ProcessEnv> {
      const bin = at('bin');
      await mkdir(bin, { recursive: true });
      const tools = 'sh tar gzip sha256sum cut sed tr uname mktemp mkdir mv cp rm rmdir ls ln id dirname basename cat readlink'.split(' ');
      for (const tool of [...tools, downloader]) {
        const { stdout } = await promisify(execFile)('sh', ['-c', `command -v ${tool}`]);
        await rm(join(bin, tool), { force: true });
        await symlink(stdout.trim(), join(bin, tool));
      }
      return { PATH: bin, DEVICE_AGENT_KEY_SECRET: secret };
    }

    it('checks the key before the download', async () => {
      const secret = String.raw`a"b\c`;
      expect(await install(await environment(secret), '--key-id', KEY_ID)).toEqual({ code: 0, stderr: '' });
      expect(asked).toEqual([CHECK, '/downloads/PLATFORM/device-agent.json', '/downloads/PLATFORM/device-agent.tar.gz']);
      expect(JSON.parse(bodies.join(''))).toEqual({ installerKeyId: KEY_ID, installerKeySecret: secret });
      expect(await readFile(at('asked'), 'utf8')).toContain(`--key-id ${KEY_ID}`);
    });

    it.each([
      [404, 'install.sh: The installer key is unknown, used up or expired. Create another one.\n'],
      [400, 'install.sh: The server cannot read the id or the secret of the installer key.\n'],
    ])('says what is wrong with the key, and downloads nothing (%i)', async (status, sentence) => {
      await mkdir(at('opt'));
      keyStatus = status;
      const { code, stderr } = await install(await environment('secret'), '--key-id', KEY_ID);
      expect([code, stderr]).toEqual([1, sentence]);
      expect(asked).toEqual([CHECK]);
      expect(await everything()).toEqual([]);
    });

    it.each([429, 500, 503])('leaves the decision to the registration when the answer is %i', async (status) => {
      keyStatus = status;
      expect((await install(await environment('secret'), '--key-id', KEY_ID)).code).toBe(0);
      expect(asked).toHaveLength(3);
    });

    it('gives the secret to no other address', async () => {
      [keyStatus, keyHeaders] = [307, { location: `${url}/elsewhere` }];
      expect((await install(await environment('secret'), '--key-id', KEY_ID)).code).toBe(0);
      expect(asked).not.toContain('/elsewhere');
    });

    it('asks nothing without a key', async () => {
      expect((await install(await environment())).code).toBe(0);
      expect(asked).not.toContain(CHECK);
    });
  });

  it('says before the download that the secret is missing, or that the server is not there', async () => {
    await mkdir(at('opt'));
    expect((await install({ DEVICE_AGENT_KEY_SECRET: '' }, '--key-id', KEY_ID)).stderr).toContain(
      'The secret of the installer key is missing.',
    );
    expect((await install({ DEVICE_AGENT_KEY_SECRET: 's' }, '--key-id', 'x"y')).stderr).toBe('install.sh: --key-id must be a GUID.\n');
    expect(asked).toEqual([]);
    const { stderr } = await install({ DEVICE_AGENT_KEY_SECRET: 's' }, '--key-id', KEY_ID, '--server', 'http://127.0.0.1:1');
    expect(stderr).toContain('install.sh: The server http://127.0.0.1:1 cannot be reached.');
    expect(await everything()).toEqual([]);
  });

  it('says what it cannot remove', async () => {
    const bin = at('bin');
    await mkdir(bin);
    await writeFile(join(bin, 'rm'), '#!/bin/sh\nexit 1\n');
    await chmod(join(bin, 'rm'), 0o755);
    const { stderr } = await install({ FAILS: 'installing', PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` });
    expect(stderr).toMatch(/install\.sh: \S+\/agent\/versions\S* cannot be removed\. Remove it yourself\.\n/);
  });
});

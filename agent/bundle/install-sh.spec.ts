import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
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
  let sha256: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'install-sh-'));
    answers = new Map();
    asked = [];
    server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/(linux|osx)-(x64|arm64)/, 'PLATFORM');
      asked.push(path);
      const answer = answers.get(path);
      response.writeHead(answer === undefined ? 404 : 200).end(answer);
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

  /** Everything below the folder of programs, but for what is in the bundles. */
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

  it('says what it cannot remove', async () => {
    const bin = at('bin');
    await mkdir(bin);
    await writeFile(join(bin, 'rm'), '#!/bin/sh\nexit 1\n');
    await chmod(join(bin, 'rm'), 0o755);
    const { stderr } = await install({ FAILS: 'installing', PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` });
    expect(stderr).toMatch(/install\.sh: \S+\/agent\/versions\S* cannot be removed\. Remove it yourself\.\n/);
  });
});

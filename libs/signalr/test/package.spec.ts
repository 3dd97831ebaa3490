import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/*
 * The package as its users get it: packed, and installed in projects that have only the packages which its README asks for. Nothing is
 * downloaded. The packages that it needs are links to those that are installed here.
 */

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const ROOT = join(PACKAGE, '../..');
const MODULES = join(ROOT, 'node_modules');

/** Packages that the README installs beside the package. `ws` is a dependency of the package. */
const NEEDED = ['@microsoft/signalr', '@types/node', 'typescript', 'ws'];
const NEST = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', '@nestjs/websockets', 'reflect-metadata', 'rxjs'];

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

interface Example {
  readonly name: string;
  readonly text: string;
}

let folder: string;
let packed: Packed;
let readme: string;

/** Runs npm in a folder. When npm itself has started the tests, its settings name another folder. */
function npm(cwd: string, ...command: string[]): Promise<{ stdout: string }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name)));
  return run('npm', command, { cwd, env });
}

/** Packs a copy, so that the build leaves nothing among the sources. */
async function pack(): Promise<Packed> {
  const copy = join(folder, 'source', 'libs', 'signalr');
  await cp(PACKAGE, copy, { recursive: true, filter: (path) => path !== join(PACKAGE, 'dist') });
  await cp(join(ROOT, 'tsconfig.json'), join(folder, 'source', 'tsconfig.json'));
  await symlink(MODULES, join(folder, 'source', 'node_modules'));
  const { stdout } = await npm(copy, 'pack', '--json', '--pack-destination', folder);
  // The output of the build comes first.
  const [result]: Packed[] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  return result;
}

/** The code of the README that has a name of its own, and its `tsconfig.json`. */
function examples(): Example[] {
  const named = readme.matchAll(/`([\w.-]+\.(?:ts|json))`[^\n]*(?:\n[^\n]+)*\n\n```(?:ts|json)\n(.*?)```/gs);
  return [...named].map(([, name, text]) => ({ name, text }));
}

/** An empty project in which the package and others are installed. */
async function makeProject(name: string, packages: readonly string[], files: readonly Example[]): Promise<string> {
  const project = join(folder, name);
  await mkdir(project);
  const links = packages.map((link) => [link, `file:${join(MODULES, link)}`]);
  const dependencies = { 'signalr-hub-server': `file:${join(folder, packed.filename)}`, ...Object.fromEntries(links) };
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
  for (const { name: file, text } of files) await writeFile(join(project, file), text);
  // npm cannot match linked packages with the peers that others expect. The compiler and Node.js find missing ones.
  await npm(project, 'install', '--offline', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund');
  return project;
}

/** The errors of the compiler. */
async function compile(project: string, ...options: string[]): Promise<string> {
  const compiler = join(MODULES, 'typescript', 'bin', 'tsc');
  return run(process.execPath, [compiler, ...options], { cwd: project }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

/**
 * Starts the chat of a compiled module in a process of its own, and returns the messages that its client got.
 * @param http gives the HTTP server of `chat`
 * @param stop ends `chat`
 */
async function chatOf(project: string, module: string, http: string, stop: string): Promise<string> {
  const program = `
    import { startChat } from './${module}';
    import { sayHello } from './client.js';
    const chat = await startChat(0);
    const heard = await sayHello('http://127.0.0.1:' + ${http}.address().port + '/chat');
    ${stop}
    process.stdout.write('heard: ' + heard);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: project });
  return stdout.slice(stdout.indexOf('heard: '));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalr-package-'));
  readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  packed = await pack();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('holds the build, its README, changelog and licence, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    const others = paths.filter((path) => !/^dist\/.*(?<!\.spec|\.fixture)\.(js|js\.map|d\.ts)$/.test(path));
    expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/nest/index.js', 'dist/nest/index.d.ts']));
    expect(paths).toEqual(expect.arrayContaining(['dist/wire/index.js', 'dist/wire/index.d.ts']));
  });

  it('depends on ranges, so that others have one copy of each package', async () => {
    const {
      dependencies,
      peerDependencies,
      peerDependenciesMeta,
    }: Record<string, Record<string, unknown>> = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
    for (const range of [...Object.values(dependencies), ...Object.values(peerDependencies)]) expect(range).toMatch(/^(\^|>=)\d/);
    expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
    for (const name of Object.keys(peerDependencies)) expect(readme).toContain(name);
  });

  it('has a README whose examples are found here', () => {
    expect(examples().map(({ name }) => name)).toEqual(['tsconfig.json', 'chat.ts', 'client.ts', 'plain-chat.ts']);
  });
});

describe('a project without NestJS', () => {
  let project: string;

  beforeAll(async () => {
    const files = examples().filter(({ name }) => name === 'plain-chat.ts' || name === 'client.ts');
    project = await makeProject('plain', NEEDED, files);
    await cp(join(PACKAGE, 'test', 'support', 'user.ts.txt'), join(project, 'user.ts'));
  });

  it('compiles the chat of the README, which answers the official client, and a program that uses the types', async () => {
    // The declarations are checked as well. Those of the client name types of browsers.
    const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--lib', 'es2023,dom'];
    expect(await compile(project, ...options, 'plain-chat.ts', 'client.ts', 'user.ts')).toBe('');
    expect(await chatOf(project, 'plain-chat.js', 'chat.http', 'await chat.signalr.close(); chat.http.close();')).toBe('heard: Hello');
  });

  it('cannot load the entry for NestJS', async () => {
    const program = `await import('signalr-hub-server/nest')`;
    await expect(run(process.execPath, ['--input-type=module', '--eval', program], { cwd: project })).rejects.toThrow(
      "Cannot find package '@nestjs/common'",
    );
  });
});

describe('a project that uses the wire alone', () => {
  /** Prints the files that Node.js loads, one a line. */
  const HOOK = `
    import { writeSync } from 'node:fs';
    export async function load(url, context, nextLoad) {
      if (url.startsWith('file:')) writeSync(1, 'loaded: ' + url + '\\n');
      return nextLoad(url, context);
    }`;

  it('compiles without the types of Node.js, loads nothing of the server, and needs nothing that a browser lacks', async () => {
    const compilerOptions = { strict: true, target: 'es2023', module: 'nodenext', lib: ['es2023', 'dom'], types: [] };
    const writer = `
      import { MessagePackWriter, plainMemory } from 'signalr-hub-server/wire';
      const writer = new MessagePackWriter(plainMemory);
      writer.begin();
      writer.value({ name: 'Ä', at: new Date(1_000), bytes: new Uint8Array([1]), size: 2n ** 40n });
      export const written: Uint8Array = writer.end();`;
    const program = `
      import { register } from 'node:module';
      register('./hook.js', import.meta.url);
      const write = process.stdout.write.bind(process.stdout);
      const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      for (const name of ['Buffer', 'global', 'process', 'require', 'setImmediate']) delete globalThis[name];
      const { written } = await import('./writer.js');
      write('written: ' + hexOf(written));`;
    const project = await makeProject(
      'alone',
      ['ws'],
      [
        { name: 'tsconfig.json', text: JSON.stringify({ compilerOptions, include: ['writer.ts'] }) },
        { name: 'writer.ts', text: writer },
        { name: 'hook.js', text: HOOK },
        { name: 'main.js', text: program },
      ],
    );
    await rm(join(project, 'node_modules', 'ws'));

    expect(await compile(project)).toBe('');
    const { stdout } = await run(process.execPath, ['main.js'], { cwd: project });
    const lines = stdout.split('\n');
    expect(lines.pop()).toBe('written: 84a46e616d65a2c384a26174d6ff00000001a56279746573c40101a473697a65cf0000010000000000');
    expect(lines.map((line) => line.replace(/^loaded: .*\/alone\//, '')).sort()).toEqual([
      'node_modules/signalr-hub-server/dist/wire/frames.js',
      'node_modules/signalr-hub-server/dist/wire/index.js',
      'node_modules/signalr-hub-server/dist/wire/memory.js',
      'node_modules/signalr-hub-server/dist/wire/messagepack-writer.js',
      'node_modules/signalr-hub-server/dist/wire/precise-date.js',
      'writer.js',
    ]);
  });
});

describe('a project with OpenTelemetry', () => {
  it('has the metrics of its hubs, and one without it has none', async () => {
    const project = await makeProject('traced', [...NEEDED, '@opentelemetry/api', '@opentelemetry/sdk-metrics'], []);
    const program = `
      import { SignalRServer } from 'signalr-hub-server';
      const { metrics } = await import('@opentelemetry/api');
      const { MeterProvider, MetricReader } = await import('@opentelemetry/sdk-metrics');
      class Reader extends MetricReader {
        async onForceFlush() {}
        async onShutdown() {}
      }
      const reader = new Reader();
      metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
      const server = new SignalRServer();
      server.addHub({ path: '/chat' });
      const { resourceMetrics } = await reader.collect();
      await server.close();
      const names = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics.map(({ descriptor }) => descriptor.name));
      process.stdout.write('measured: ' + names.join());`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: project });
    expect(stdout).toBe('measured: signalr.server.io');
  });
});

describe('a project with NestJS', () => {
  it('compiles the chat of the README, which answers the official client', async () => {
    const files = examples().filter(({ name }) => name !== 'plain-chat.ts');
    const project = await makeProject('nest', [...NEEDED, ...NEST], files);
    expect(await compile(project)).toBe('');
    expect(await chatOf(project, 'chat.js', 'chat.getHttpServer()', 'await chat.close();')).toBe('heard: Hello');
  });
});

describe('the folder of the package', () => {
  it('has the licence of the project', async () => {
    const [own, others] = await Promise.all([readFile(join(PACKAGE, 'LICENSE'), 'utf8'), readFile(join(ROOT, 'LICENSE'), 'utf8')]);
    expect(own).toBe(others);
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

import { createUser } from '@nats-io/nkeys';
import { describe, expect, it, onTestFinished } from 'vitest';

import { SERVICE_OPTIONS } from '../../bench/harness/service-options.js';
import { loadSettings } from '../../src/platform/config/load-settings.js';
import { allOptions, OPTIONS, variableOf } from '../../src/platform/config/options.js';
import { CONNECTIONS_OF_PROCESS } from '../../src/platform/database/connection/reserved-data-source.js';

/*
 * Images cannot be built where the tests run. Instead, every command of the Dockerfile and of compose.yaml must be one
 * that .ci/deployment runs in a folder, and the ports, paths and options that they name must match the options of the
 * service.
 */

const read = (path: string): Promise<string> => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const UNIT = 'deploy/systemd/device-management.service';
const [dockerfile, compose, nodesFile, deployment, run, unit] = await Promise.all(
  ['Dockerfile', 'compose.yaml', 'compose.nodes.yaml', '.ci/deployment', '.ci/run', UNIT].map((path) => read(path)),
);

/** The arguments of each instruction with this name in the Dockerfile. */
function instructions(name: string): string[] {
  return [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, rest = '']) => rest);
}

/** The command in the JSON form of CMD. */
function command(text: string): string {
  const parts: string[] = JSON.parse(text.slice(text.indexOf('[')).replaceAll(`'`, `"`));
  return parts.join(' ');
}

/** The lines of compose.yaml, or of another such file, under a key of the second level, such as a service. */
function section(name: string, file = compose): string {
  const [, after = ''] = file.split(new RegExp(`^  ${name}:\\n`, 'm'));
  return after.split(/^ {0,2}\S/m)[0] ?? '';
}

/** Names and values of the `environment` of a service. */
function environmentOf(service: string): Record<string, string> {
  const [, block = ''] = section(service).split('    environment:\n');
  const lines = block.split(/^ {4}\S/m)[0] ?? '';
  return variablesIn(lines);
}

/** Names and values of lines with six spaces before them. */
function variablesIn(lines: string): Record<string, string> {
  return Object.fromEntries([...lines.matchAll(/^ {6}(\w+): '?([^'\n]*)'?$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** Puts variables in, as compose does for `${NAME:-}`. */
function interpolated(environment: Record<string, string>, variables: NodeJS.ProcessEnv): Record<string, string> {
  const valueOf = (text: string): string => text.replace(/\$\{(\w+):-\}/g, (_, name: string) => variables[name] ?? '');
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, valueOf(value)]));
}

describe('the Dockerfile', () => {
  it('builds with commands that .ci/deployment runs', () => {
    const commands = instructions('RUN').filter((line) => line.startsWith('npm '));

    expect(commands).toEqual(['npm ci', 'npm run build', 'npm run web:build', 'npm run agent:bundle', 'npm prune --omit=dev']);
    for (const line of commands) expect(deployment.split('\n')).toContain(line);
  });

  it('starts and probes the service with commands that .ci/deployment runs', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const [start = ''] = instructions('CMD');
    const [probe = ''] = instructions('HEALTHCHECK');

    expect(command(start)).toBe('node --enable-source-maps --max-semi-space-size=16 dist/service/main.js');
    expect(command(probe)).toBe('node dist/src/system/health/probe.js');
    expect(deployment).toContain(`${command(start)} &`);
    expect(scripts['start:prod']).toBe(command(start));
    expect(SERVICE_OPTIONS).toContain('--max-semi-space-size=16');
    expect(deployment).toContain(`until_succeeds 60 ${command(probe)}\n`);
  });

  it('is based on Debian with the newest long-term support version of Node.js, and runs as an unprivileged account', () => {
    const [build = '', service] = instructions('FROM');

    expect(service).toMatch(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
    expect(build).toBe(`${service} AS build`);
    expect(instructions('USER')).toEqual(['node']);
  });

  it('installs the packages of every workspace, and takes the front end along, which it serves from where it was built', async () => {
    const { workspaces } = JSON.parse(await read('package.json')) as { readonly workspaces: readonly string[] };
    const { settings } = loadSettings({ env: {}, cwd: '/app' });

    for (const workspace of workspaces) expect(instructions('COPY')).toContain(`${workspace}/package.json ./${workspace}/`);
    expect(instructions('COPY')).toContain('--from=build /app/web/dist ./web/dist');
    expect(settings.webPath).toBe('/app/web/dist');
  });

  it('names the port and the data folder that the service uses there', () => {
    const { settings } = loadSettings({ env: {}, cwd: '/app' });

    expect(instructions('EXPOSE')).toEqual([String(settings.port)]);
    expect(instructions('VOLUME')).toEqual([settings.dataPath]);
    expect(instructions('RUN')).toContain('mkdir data && chown node:node data');
  });
});

/** The secret that only the container of the database knows. */
const OWNER_PASSWORD = 'DATABASE_OWNER_PASSWORD';

describe('compose.yaml', () => {
  const environment = environmentOf('service');
  const secrets = [...(compose.split('\nsecrets:\n')[1] ?? '').matchAll(/^ {2}(\w+):\n {4}file: (\S+)$/gm)];

  it('sets only existing options and secrets', () => {
    const variables = allOptions().map(({ key }) => variableOf(key));

    expect(Object.keys(environment).length).toBeGreaterThan(5);
    for (const name of Object.keys(environment)) expect(variables).toContain(name);
    expect(secrets.map(([, name]) => name)).toContain(OWNER_PASSWORD);
    for (const [, name = '', file] of secrets.filter(([, secret]) => secret !== OWNER_PASSWORD)) {
      expect([name, `Service_${name}`].filter((variable) => variables.includes(variable))).toHaveLength(1);
      expect(file).toBe(`./secrets/${name}`);
      expect(section('service')).toContain(`- ${name}\n`);
    }
  });

  it('results in a valid configuration with the database’s address and account', () => {
    const values = { POSTGRES_PASSWORD: 'x', Service_AppOptions__EnableDockerSecrets: 'false' };
    const account = {
      Service_Bootstrap__ServerServiceAccountTokenId: '11111111-2222-4333-8444-555555555555',
      Service_Bootstrap__ServerServiceAccountTokenSecret: 'x'.repeat(32),
    };
    const env = { ...interpolated(environment, {}), ...account, ...values };
    const { settings, warnings } = loadSettings({ env, cwd: '/app' });
    const database = environmentOf('database');

    expect(warnings).toEqual([]);
    expect(settings.database).toMatchObject({ host: 'database', database: database.POSTGRES_DB });
    expect(database.POSTGRES_PASSWORD_FILE).toBe(`/run/secrets/${OWNER_PASSWORD}`);
    expect(settings.bootstrap.serviceAccount?.name).toBe(environment.Service_Bootstrap__ServerServiceAccountName);
  });

  it('takes public address and mail from .env, as its example names them, and works without', async () => {
    const example = parseEnv(await read('compose/example.env'));
    const named = Object.values(environment).flatMap((value) => [...value.matchAll(/\$\{(\w+):-\}/g)].map(([, name]) => name));
    expect(Object.keys(example).sort()).toEqual(named.sort());
    const mail = { SMTP_HOST: 'smtp.example.org', SMTP_EMAIL: 'service@example.org', SMTP_DISPLAY_NAME: 'Devices' };
    const fixed = {
      Service_AppOptions__EnableDockerSecrets: 'false',
      POSTGRES_PASSWORD: 'x',
      Service_Bootstrap__ServerServiceAccountName: '',
    };
    const optionsOf = (variables: NodeJS.ProcessEnv) => {
      const { settings, warnings } = loadSettings({ env: { ...interpolated(environment, variables), ...fixed }, cwd: '/app' });
      expect(warnings).toEqual([]);
      return settings.appOptions;
    };

    for (const variables of [{}, example]) expect(optionsOf(variables)).toMatchObject({ publicUrl: '', smtpHost: '', smtpPort: 587 });
    expect(optionsOf({ ...example, PUBLIC_URL: 'https://devices.example.org', SMTP_PORT: '465', ...mail })).toMatchObject({
      publicUrl: 'https://devices.example.org',
      smtpHost: 'smtp.example.org',
      smtpPort: 465,
      smtpEmail: 'service@example.org',
      smtpDisplayName: 'Devices',
    });
  });

  it('expects the secrets that the commands of docs/deployment.md create', async () => {
    const guide = await read('docs/deployment.md');
    const created = [...guide.matchAll(/^ {4}.*(?:>|touch) secrets\/(\w+)$/gm)].map(([, name]) => name);
    expect(created.sort()).toEqual(secrets.map(([, name]) => name).sort());
  });

  it('starts after an upgrade with the commands of docs/deployment.md, from the secrets of an earlier version', async () => {
    const guide = await read('docs/deployment.md');
    const [, commands = ''] = /^ {4}git pull\n((?: {4}(?:touch|chmod) .*\n)+) {4}docker compose up/m.exec(guide) ?? [];
    const folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const earlier = {
      [OWNER_PASSWORD]: 'x',
      POSTGRES_PASSWORD: 'y',
      Bootstrap__ServerServiceAccountTokenId: '11111111-2222-4333-8444-555555555555',
      Bootstrap__ServerServiceAccountTokenSecret: 'z'.repeat(32),
    };
    await mkdir(join(folder, 'secrets'));
    for (const [name, value] of Object.entries(earlier)) await writeFile(join(folder, 'secrets', name), value);
    execFileSync('bash', ['-euc', commands], { cwd: folder });

    expect((await readdir(join(folder, 'secrets'))).sort()).toEqual(secrets.map(([, name]) => name).sort());
    // Only the container of the database has it.
    await rm(join(folder, 'secrets', OWNER_PASSWORD));
    const { settings, warnings } = loadSettings({
      env: { ...interpolated(environment, {}), Service_SecretsPath: join(folder, 'secrets') },
      cwd: '/app',
    });
    expect(warnings).toEqual([]);
    expect(settings.bootstrap.administrator).toBeNull();
    expect(settings.bootstrap.serviceAccount?.tokenSecret).toBe(earlier.Bootstrap__ServerServiceAccountTokenSecret);
    expect(settings.appOptions.smtpPassword).toBe('');
  });

  it('gives the service a role that owns its database and is no superuser', async () => {
    const { POSTGRES_USER: role, POSTGRES_DB: database } = environment;
    expect(environmentOf('database')).not.toHaveProperty('POSTGRES_USER');
    expect(section('database')).toContain('target: /docker-entrypoint-initdb.d/service-role.sql\n');
    expect(compose).toContain('  service-role:\n    file: ./compose/service-role.sql\n');
    const sql = await read('compose/service-role.sql');
    expect(sql).toContain(`\\set password \`cat ${OPTIONS.service.secretsPath.defaultValue}/POSTGRES_PASSWORD\``);
    expect(sql).toContain(`CREATE ROLE ${role} LOGIN PASSWORD :'password';`);
    expect(sql).toContain(`ALTER DATABASE ${database} OWNER TO ${role};`);
    expect(section('service')).not.toContain(OWNER_PASSWORD);
  });

  it('names the image of the database by version and digest', () => {
    expect(section('database')).toMatch(/image: postgres:18\.\d+-bookworm@sha256:[0-9a-f]{64}\n/);
  });

  it.each(['database', 'service'])('lets the container of the %s do nothing that it does not need', (name) => {
    for (const line of ['read_only: true', 'cap_drop:\n      - ALL', 'no-new-privileges:true', 'mem_limit:', 'pids_limit:']) {
      expect(section(name)).toContain(line);
    }
  });

  it('starts the service when the database answers, by a check that .ci/deployment runs', () => {
    const [, check = ''] = /test: (\[.+\])/.exec(section('database')) ?? [];
    const parts: string[] = JSON.parse(check.replaceAll(`'`, `"`));
    const [kind, shell, option, script = ''] = parts;

    expect([kind, shell, option]).toEqual(['CMD', 'bash', '-c']);
    // Compose reads two dollar signs as one.
    expect(deployment).toContain(`bash -c '${script.replaceAll('$$', '$')}'`);
    expect(section('service')).toMatch(/depends_on:\n\s+database:\n\s+condition: service_healthy\n/);
  });

  it('keeps the port of metrics in a network without a way out', () => {
    expect(environment).toMatchObject({ Service_Metrics__Port: '9464', Service_Metrics__BindAddress: '0.0.0.0' });
    expect(section('service')).toContain('    networks:\n      - default\n      - metrics\n');
    expect(section('metrics')).toContain('    internal: true\n');
    expect(section('service')).not.toMatch(/ports:[^a-z]*9464/);
    expect(section('database')).not.toContain('networks:');
  });

  it('agrees with the image on port and data folder, and with itself on the gateway', () => {
    expect(section('service')).toContain(`- '127.0.0.1:8080:8080'`);
    expect(section('service')).toContain('- data:/app/data');
    expect(compose).toContain(`gateway: ${environment.Service_AppOptions__DockerGatewayIp}\n`);
  });
});

describe('compose.nodes.yaml', () => {
  /** The lines that its services of one kind share. */
  const shared = (name: string): string => (nodesFile.split(`\nx-${name}: &${name}\n`)[1] ?? '').split(/^\S/m)[0] ?? '';
  const node = shared('node');
  const environment = variablesIn((node.split('environment: &environment\n')[1] ?? '').split(/^ {2}\S/m)[0].replace(/^ {4}/gm, '      '));
  const secrets = [...(nodesFile.split('\nsecrets:\n')[1] ?? '').matchAll(/^ {2}(\S+):\n {4}file: (\S+)$/gm)].map(
    ([, name = '', file = '']) => ({
      name,
      file,
    }),
  );
  const own = (number: number, kind: string): string => section(`${kind}-${number}`, nodesFile);
  const NUMBERS = [1, 2, 3];
  /** Seconds that a node may take to stop, beside those of its options: last clients, requests, mails and NATS. */
  const AFTER_THE_DRAIN_S = 35;
  /** Secrets of HAProxy and of the database. */
  const OF_OTHERS = [OWNER_PASSWORD, 'devices.pem'];

  it('sets only existing options and secrets, as compose.yaml does, and those of several nodes', () => {
    const variables = allOptions().map(({ key }) => variableOf(key));
    for (const name of Object.keys(environment)) expect(variables).toContain(name);
    const single = environmentOf('service');
    const different = Object.keys({ ...single, ...environment }).filter((name) => single[name] !== environment[name]);
    expect(different.sort()).toEqual(
      [
        'Service_AppOptions__DockerGatewayIp',
        'Service_AppOptions__KnownProxies',
        'Service_Nodes__NatsWithoutTls',
        'Service_Nodes__Nats',
      ].sort(),
    );
    for (const { name, file } of secrets.filter((secret) => !OF_OTHERS.includes(secret.name))) {
      expect([name, `Service_${name}`].filter((variable) => variables.includes(variable))).toHaveLength(1);
      expect(file).toBe(`./secrets/${name}`);
      expect(node).toContain(`- ${name}\n`);
    }
    for (const name of OF_OTHERS) expect(node).not.toContain(name);
  });

  it('results in a valid configuration of a node', () => {
    const values = {
      Service_AppOptions__EnableDockerSecrets: 'false',
      POSTGRES_PASSWORD: 'x',
      Service_Bootstrap__ServerServiceAccountTokenId: '11111111-2222-4333-8444-555555555555',
      Service_Bootstrap__ServerServiceAccountTokenSecret: 'x'.repeat(32),
      Service_Nodes__NatsSeed: new TextDecoder().decode(createUser().getSeed()),
      Service_Nodes__Secret: 'x'.repeat(64),
    };
    const { settings, warnings } = loadSettings({ env: { ...interpolated(environment, {}), ...values }, cwd: '/app' });
    expect(warnings).toEqual([]);
    expect(settings.nodes.nats).toEqual(NUMBERS.map((number) => `nats://nats-${number}:4222`));
    expect(section('haproxy', nodesFile)).toContain(`ipv4_address: ${environment.Service_AppOptions__KnownProxies}\n`);
  });

  it('expects the secrets that the commands of docs/deployment.md and docs/scaling.md create', async () => {
    const guides = `${await read('docs/deployment.md')}\n${await read('docs/scaling.md')}`;
    const created = [...guides.matchAll(/^ {4}.*(?:>|touch) secrets\/([\w.]+)$/gm)].map(([, name]) => name);
    expect(created.sort()).toEqual(secrets.map(({ name }) => name).sort());
  });

  it('has three nodes that differ in their data folders and in who makes the backups', () => {
    const folders = NUMBERS.map((number) => /- (\S+):\/app\/data\n/.exec(own(number, 'node'))?.[1]);
    expect(new Set(folders).size).toBe(3);
    // The first one has the folder of the service in compose.yaml.
    expect(section('service')).toContain(`- ${folders[0]}:/app/data`);
    const backups = NUMBERS.filter((number) => !own(number, 'node').includes(`Service_Backup__At: ''`));
    expect(backups).toEqual([1]);
    for (const line of ['restart: always', 'stop_grace_period: 60s', 'condition: service_healthy']) expect(node).toContain(line);
    expect(node).not.toContain('ports:');
  });

  it('gives a node that stops the time that its options may take, as the unit does', () => {
    const { drainDelaySeconds, drainSeconds } = OPTIONS.nodes;
    const needed = drainDelaySeconds.defaultValue + drainSeconds.defaultValue + AFTER_THE_DRAIN_S;
    expect(Number(/stop_grace_period: (\d+)s\n/.exec(node)?.[1])).toBeGreaterThanOrEqual(needed);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(needed);
    for (const text of [drainSeconds.meaning, nodesFile, unit]) expect(text).toContain(`${AFTER_THE_DRAIN_S} s`);
  });

  it('has three servers of NATS with the shipped files, which only nodes reach', () => {
    const nats = shared('nats');
    expect(nats).toMatch(/image: nats:2\.\d+-alpine@sha256:[0-9a-f]{64}\n/);
    expect(nats).toMatch(/networks:\n {4}- nats\n {2}\S/);
    expect(section('nats', nodesFile)).toContain('internal: true\n');
    for (const file of ['nats-server', 'nats-cluster']) {
      expect(nodesFile).toContain(`  ${file}:\n    file: ./deploy/nats/${file}.conf\n`);
      expect(nats).toContain(`- source: ${file}\n      target: /etc/nats/${file}.conf\n`);
    }
    for (const number of NUMBERS) expect(own(number, 'nats')).toContain(`NATS_NAME: nats-${number}\n`);
    expect(nats).not.toContain('ports:');
    expect(section('database', nodesFile)).not.toContain('networks:');
  });

  it('has the database of compose.yaml, with connections for all nodes', () => {
    const connections = Number(/max_connections=(\d+)/.exec(section('database', nodesFile))?.[1]);
    // One more node while another is replaced.
    expect(connections).toBeGreaterThan((NUMBERS.length + 1) * CONNECTIONS_OF_PROCESS + 10);
    const withoutCommand = section('database', nodesFile).replace(/ {4}# Each node takes[^]*?\n {4}command: .*\n/, '');
    expect(withoutCommand).toBe(section('database'));
  });

  it('publishes HAProxy alone, with the shipped file', () => {
    const haproxy = section('haproxy', nodesFile);
    expect(haproxy).toMatch(/image: haproxy:3\.\d+-alpine@sha256:[0-9a-f]{64}\n/);
    expect(nodesFile).toContain('  haproxy:\n    file: ./deploy/proxies/haproxy-nodes.cfg\n');
    expect(nodesFile.match(/^ +ports:$/gm)).toHaveLength(1);
    expect(haproxy).toContain(`ports:\n      - '443:443'\n`);
  });

  it.each(['node', 'nats', 'database', 'haproxy'])('lets the container of the %s do nothing that it does not need', (name) => {
    const lines = ['node', 'nats'].includes(name) ? shared(name).replace(/^/gm, '  ') : section(name, nodesFile);
    for (const line of ['read_only: true', 'cap_drop:\n      - ALL', 'no-new-privileges:true', 'mem_limit:', 'pids_limit:']) {
      expect(lines).toContain(line);
    }
  });
});

describe('the unit of systemd', () => {
  /** The values of a setting, in their order. */
  const valuesOf = (name: string): string[] => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

  it('starts and probes the service as the image does, and waits until it is ready', () => {
    const [start = ''] = instructions('CMD');
    const [probe = ''] = instructions('HEALTHCHECK');
    expect(valuesOf('ExecStart')).toEqual([`/usr/bin/env ${command(start)}`]);
    expect(valuesOf('ExecStartPost')).toEqual([`/usr/bin/env ${command(probe)} --ready`]);
  });

  it('sets only existing options, and lets the service write to its data folder alone', () => {
    const variables = allOptions().map(({ key }) => variableOf(key));
    const environment = Object.fromEntries(valuesOf('Environment').map((entry) => entry.split('=') as [string, string]));
    for (const name of Object.keys(environment)) expect([...variables, 'NODE_ENV', 'PATH']).toContain(name);
    expect(environment.Service_DataPath).toBe(`/var/lib/${valuesOf('StateDirectory')[0]}`);
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
    expect(valuesOf('NoNewPrivileges')).toEqual(['yes']);
    expect(valuesOf('ReadWritePaths')).toEqual([]);
  });

  const noSystemd = spawnSync('which', ['systemd-analyze']).status !== 0;
  it.skipIf(noSystemd)(`passes systemd-analyze verify${noSystemd ? ' (skipped: needs systemd-analyze)' : ''}`, () => {
    const path = fileURLToPath(new URL(`../../${UNIT}`, import.meta.url));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  it('has the account and the options that the Debian package makes', async () => {
    const [account = ''] = valuesOf('User');
    const script = await read('deploy/debian/postinst');
    expect(script).toMatch(new RegExp(`^  adduser .* ${account}$`, 'm'));
    expect(valuesOf('EnvironmentFile')).toEqual([`-${(await read('deploy/debian/conffiles')).trim()}`]);
    expect(await read('docs/deployment.md')).toContain(valuesOf('WorkingDirectory')[0]);
  });
});

describe('the Debian package', () => {
  it('has the commands of package.json that operators use', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const wrapper = await read('deploy/debian/device-management');
    const programs = [...wrapper.matchAll(/^ {2}([\w:]+)\) script=(\S+) ;;$/gm)].map(([, name = '', program]) => ({ name, program }));
    expect(programs.map(({ name }) => name).sort()).toEqual(['audit:verify', 'backup', 'doctor', 'nodes:key', 'probe', 'restore']);
    for (const { name, program } of programs.filter(({ name: own }) => own !== 'probe')) {
      expect(scripts[name]).toBe(`node --enable-source-maps ${program}`);
      expect(wrapper).toContain(` ${name}`);
    }
  });

  /** The environment of a command of the package, with this file of options; null for none. */
  async function environmentWith(file: string | null): Promise<NodeJS.ProcessEnv> {
    const folder = await mkdtemp(join(tmpdir(), 'debian-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [options, program, script] = ['options.env', 'program', 'program/dist/src/system/health/probe.js'].map((name) =>
      join(folder, name),
    );
    await mkdir(dirname(script), { recursive: true });
    await mkdir(join(program, 'node', 'bin'), { recursive: true });
    await symlink(process.execPath, join(program, 'node', 'bin', 'node'));
    await writeFile(join(program, 'options.mjs'), await read('deploy/debian/options.mjs'));
    await writeFile(script, 'process.stdout.write(JSON.stringify(process.env))');
    if (file !== null) await writeFile(options, file);
    const places = { program, options, account: userInfo().username };
    const wrapper = await read('deploy/debian/device-management');
    const text = wrapper.replaceAll(/^(program|options|account)=.*$/gm, (_, name: keyof typeof places) => `${name}='${places[name]}'`);
    const { PATH } = process.env;
    const env = { PATH, Service_BindAddress: '10.0.0.1', Service_Port: '1' };
    return JSON.parse(execFileSync('sh', ['-c', text, 'device-management', 'probe'], { encoding: 'utf8', env })) as NodeJS.ProcessEnv;
  }

  it('runs commands with the options of the unit, in which the file wins over the defaults and the caller', async () => {
    expect(await environmentWith('#Service_BindAddress=::1\nService_DataPath=/srv/devices\nService_Port=8080\n')).toMatchObject({
      NODE_ENV: 'production',
      Service_DataPath: '/srv/devices',
      Service_BindAddress: '127.0.0.1',
      Service_Port: '8080',
    });
    expect(await environmentWith(null)).toMatchObject({ Service_DataPath: '/var/lib/device-management' });
  });

  it('reads the file as systemd does', async () => {
    // As systemd 252 reads these lines.
    const lines = String.raw`
A=pa#ss word
B="quo\"ted # \n x"
C='single \n # "x"'
D=back\slash\#
; E=comment
F=two\
lines
  G = spaced ${''}
H="several
lines"
I='a'b"c"
export J=1
K=
L= "x" y
M="a" # tail
N=postgres://u:p%23#x@h/d?x=1&y='z'
`;
    const found = await environmentWith(`${lines}O=$PATH\`date\`it's\n`);
    expect(Object.fromEntries(Object.entries(found).filter(([name]) => /^([A-O]|export.*)$/.test(name)))).toEqual({
      A: 'pa#ss word',
      B: String.raw`quo"ted # \n x`,
      C: String.raw`single \n # "x"`,
      D: 'backslash#',
      F: 'twolines',
      G: 'spaced',
      H: 'several\nlines',
      I: 'ab"c"',
      K: '',
      L: 'xy',
      M: 'a# tail',
      N: `postgres://u:p%23#x@h/d?x=1&y='z'`,
      O: "$PATH`date`it's",
    });
  });

  it('is upgraded without the file of options, which an administrator may delete', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'debian-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    // The programs that would change this machine.
    for (const name of ['adduser', 'systemctl', 'install']) await writeFile(join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
    const script = (await read('deploy/debian/postinst')).replaceAll('/etc/device-management.env', join(folder, 'options.env'));
    const { status, stderr } = spawnSync('sh', ['-c', script, 'postinst', 'configure', '0.1.0'], {
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}` },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('starts the service again when it is installed again, unless an administrator has turned it off', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'debian-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const link = join(folder, 'multi-user.target.wants', 'device-management.service');
    // As systemd remembers what starts by itself, and this machine stays as it is.
    const programs = {
      adduser: '',
      install: '',
      systemctl: `case $1 in
        enable) mkdir -p '${dirname(link)}'; touch '${link}' ;;
        disable) rm -f '${link}' ;;
        is-enabled) [ -e '${link}' ] ;;
        start) echo started ;;
      esac`,
    };
    for (const [name, text] of Object.entries(programs)) await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const runScript = async (script: string, ...args: readonly string[]): Promise<string> => {
      const text = (await read(`deploy/debian/${script}`))
        .replaceAll('/etc/systemd/system/', `${folder}/`)
        .replaceAll('/run/systemd/system', folder)
        .replaceAll('/etc/device-management.env', join(folder, 'options.env'));
      const env = { PATH: `${folder}:${process.env.PATH}` };
      return execFileSync('sh', ['-c', text, script, ...args], { encoding: 'utf8', env }).trim();
    };
    expect(await runScript('postinst', 'configure', '')).toBe('started');
    await runScript('prerm', 'remove');
    await runScript('postrm', 'remove');
    expect(await runScript('postinst', 'configure', '0.1.0')).toBe('started');
    await runScript('prerm', 'remove');
    await runScript('postrm', 'purge');
    await expect(readFile(link)).rejects.toThrow('ENOENT');
    // An upgrade of a service that does not start by itself.
    expect(await runScript('postinst', 'configure', '0.1.0')).toBe('');
  });

  it('names only options that exist, and sets none', async () => {
    const file = await read('deploy/debian/device-management.env');
    const variables = allOptions().map(({ key }) => variableOf(key));
    const named = [...file.matchAll(/^#(\w+)=/gm)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(variables).toContain(name);
    expect(parseEnv(file)).toEqual({});
  });
});

describe('.ci/run', () => {
  it('runs the commands of the README', async () => {
    const readme = await read('README.md');

    for (const line of ['npm ci', 'npm test', 'npm run demo']) {
      expect(readme).toContain(line);
      expect(run).toMatch(new RegExp(`^.*\\b${line}\\b`, 'm'));
    }
    expect(run).toContain('.ci/deployment');
    // All tests, and those with several nodes.
    expect(run).toContain('npm run test:all');
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, type LoadedSettings, loadSettings } from './load-settings.js';
import { allOptions, NUMBER, OPTIONS, variableOf } from './options.js';
import { redacted } from './redacted.js';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'settings-'));
});

afterEach(async () => {
  await rm(cwd, { recursive: true });
});

function load(env: NodeJS.ProcessEnv = {}): LoadedSettings {
  return loadSettings({ env, cwd });
}

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

const SECRET = 'Tr0ub4dor-and-a-horse-battery-staple';
const GUID = '3F2504E0-4F89-11D3-9A0C-0305E82C3301';
const SERVICE_ACCOUNT = {
  Service_Bootstrap__ServerServiceAccountName: 'rmm',
  Service_Bootstrap__ServerServiceAccountTokenId: GUID,
  Service_Bootstrap__ServerServiceAccountTokenSecret: SECRET,
};

/** Options of one of several nodes. */
const NODES = {
  Service_ConnectionStrings__Default: 'Host=db;Username=app;Password=secret;Database=app',
  Service_Nodes__Nats: 'nats://localhost:4222',
  Service_Nodes__NatsUser: 'nodes',
  Service_Nodes__NatsPassword: 'secret',
  Service_Nodes__Secret: 'a-secret-of-the-nodes-of-32-characters',
};

describe('defaults', () => {
  it('apply when nothing is configured', () => {
    const { settings, warnings } = load();
    expect(warnings).toEqual([]);
    expect(settings).toMatchObject({
      environment: 'production',
      port: 8080,
      dataPath: join(cwd, 'data'),
      dataPathIsExplicit: false,
      webPath: join(cwd, 'web', 'dist'),
      database: { kind: 'bundled' },
      bootstrap: { serviceAccount: null, administrator: null },
      appOptions: { agentClockSkewTolerance: 60_000, enableApiBrowserUi: false, maxFileTransferSize: 104_857_600, knownProxies: [] },
    });
  });

  it('are frozen', () => {
    const { settings } = load({ Service_AppOptions__KnownProxies: '10.0.0.1' });
    expect(() => Object.assign(settings, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(settings.appOptions, { smtpPort: 1 })).toThrow(TypeError);
    expect(Object.isFrozen(settings.appOptions.knownProxies)).toBe(true);
  });

  it('serve the API browser in development, unless it is switched off', () => {
    expect(load({ NODE_ENV: 'development' }).settings).toMatchObject({
      environment: 'development',
      appOptions: { enableApiBrowserUi: true },
    });
    expect(load({ NODE_ENV: 'development', Service_AppOptions__EnableApiBrowserUi: 'false' }).settings.appOptions.enableApiBrowserUi).toBe(
      false,
    );
    expect(load({ NODE_ENV: 'test' }).settings.environment).toBe('production');
  });
});

describe('the environment', () => {
  const once = allOptions().filter(({ key }) => !key.includes(NUMBER));
  const named = once.map((option) => [variableOf(option.key), option] as const);

  it.each(named)('sets an option by %s', async (variable, { kind, defaultValue, takesEffect }) => {
    await writeFile(join(cwd, 'settings.json'), '{}');
    const text = kind.format(defaultValue);
    const idle = text !== '' && !takesEffect;
    expect(load({ [variable]: text }).warnings).toEqual(idle ? [`${variable} has no effect in this version.`] : []);
  });

  it.each(named.filter(([, { kind }]) => kind.expected !== 'text'))('refuses a bad value of %s', (variable) => {
    expect(problemsOf({ [variable]: '<>' })).toContainEqual(expect.stringMatching(new RegExp(`^${variable}: expected `)));
  });

  it('reads names in any case', () => {
    expect(load({ SERVICE_APPOPTIONS__SMTPPORT: '25' }).settings.appOptions.smtpPort).toBe(25);
  });

  it.each([
    [{ Service_Port: '9000' }, 9000],
    [{ PORT: '9000' }, 9000],
    [{ PORT: '9000', Service_Port: '9001' }, 9001],
    [{ PORT: '' }, 8080],
    [{ Service_Port: '0' }, 0],
  ])('takes the port from %j', (env, port) => {
    expect(load(env).settings.port).toBe(port);
  });

  it.each(['true', 'True', '1', 'on', 'yes'])('reads %s as true', (text) => {
    expect(load({ Service_AppOptions__EnableCors: text }).settings.appOptions.enableCors).toBe(true);
  });

  it.each([
    ['00:00:30', 30_000],
    ['', null],
    ['null', null],
    ['PT2M', 120_000],
  ])('takes %j for the clock skew tolerance', (text, value) => {
    expect(load({ Service_AppOptions__AgentClockSkewTolerance: text }).settings.appOptions.agentClockSkewTolerance).toBe(value);
  });

  it('reads lists by commas and by number', () => {
    expect(load({ Service_AppOptions__KnownNetworks: '10.0.0.0/8, fd00::/8' }).settings.appOptions.knownNetworks).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
    ]);
    const numbered = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [`Service_AppOptions__KnownProxies__${index}`, `10.0.0.${index}`]),
    );
    const { settings, warnings } = load(numbered);
    expect(settings.appOptions.knownProxies).toEqual(Array.from({ length: 11 }, (_, index) => `10.0.0.${index}`));
    expect(warnings).toEqual([]);
  });

  it('reads an empty value as the default', () => {
    expect(load({ Service_AppOptions__SmtpPort: '', Service_AppOptions__AuthenticatorIssuerName: '' }).settings.appOptions).toMatchObject({
      smtpPort: 587,
      authenticatorIssuerName: 'Device Management',
    });
  });

  it('accepts negative numbers for options that they switch off', () => {
    const env = { Service_AppOptions__MaxFileTransferSize: '-1', Service_AppOptions__ServiceAccountAuthFailureLimit: '0' };
    expect(load(env).settings.appOptions).toMatchObject({ maxFileTransferSize: -1, serviceAccountAuthFailureLimit: 0 });
  });

  it('resolves the data folder and notes that it was configured', () => {
    expect(load({ Service_DataPath: 'elsewhere' }).settings).toMatchObject({ dataPath: join(cwd, 'elsewhere'), dataPathIsExplicit: true });
    expect(load({ Service_DataPath: '/srv/data' }).settings.dataPath).toBe('/srv/data');
  });

  it('removes the trailing slash of the public address', () => {
    expect(load({ Service_AppOptions__PublicUrl: 'https://Devices.example.org/base/' }).settings.appOptions.publicUrl).toBe(
      'https://devices.example.org/base',
    );
  });
});

describe('bad values', () => {
  it.each([
    ['Service_Port', 'eighty', 'a whole number from 0 to 65535, got "eighty".'],
    ['PORT', '70000', 'a whole number from 0 to 65535, got "70000".'],
    ['Service_BindAddress', 'localhost', 'an IP address, got "localhost".'],
    ['Service_AppOptions__EnableCors', 'maybe', 'true or false, got "maybe".'],
    ['Service_AppOptions__EnableDockerSecrets', 'perhaps', 'true or false, got "perhaps".'],
    ['Service_AppOptions__AgentClockSkewTolerance', '60', 'a duration such as 00:01:00 (or empty for off), got "60".'],
    ['Service_AppOptions__AgentInstallerKeyHistoryDays', '1.5', 'a whole number, got "1.5".'],
    ['Service_AppOptions__MaxFileTransferSize', '1e9', 'a whole number, got "1e9".'],
    ['Service_AppOptions__DefaultThemeMode', 'Blue', 'one of Auto, Light, Dark, got "Blue".'],
    ['Service_AppOptions__DockerGatewayIp', '172.29.0', 'an IP address, got "172.29.0".'],
    ['Service_AppOptions__PublicUrl', 'devices.example.org', 'an address that starts with http:// or https://, got "devices.example.org".'],
    ['Service_AppOptions__SmtpEmail', 'nobody', 'an e-mail address, got "nobody".'],
    ['Service_AppOptions__SmtpPort', '0', 'a whole number from 1 to 65535, got "0".'],
    ['Service_Logging__LogLevel__Default', 'Loud', 'one of Trace, Debug, Information, Warning, Error, Critical, None, got "Loud".'],
    ['POSTGRES_PORT', 'x', 'a whole number from 1 to 65535, got "x".'],
    ['Service_Bootstrap__ServerServiceAccountId', '3F2504E0', 'a GUID with hyphens, not all zero, got "3F2504E0".'],
    ['Service_Bootstrap__ServerServiceAccountId', '3F2504E04F8911D39A0C0305E82C3301', 'a GUID with hyphens, not all zero.'],
  ])('names %s=%s and what was expected', (name, value, expected) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name}: expected ${expected}`]);
  });

  it.each([
    ['Service_AppOptions__KnownProxies', '10.0.0.1,proxy'],
    ['Service_AppOptions__KnownNetworks', '10.0.0.0'],
    ['Service_AppOptions__KnownNetworks', '10.0.0.0/33'],
    ['Service_AppOptions__CorsAllowedOrigins', 'https://portal.example.org/path'],
    ['Service_AppOptions__CorsAllowedOrigins', '*'],
  ])('refuses the list %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name}: expected a list`))]);
  });

  it('are all listed at once, one per line', () => {
    const env = { Service_Port: 'x', Service_AppOptions__EnableCors: 'x', Service_AppOptions__SmtpPort: 'x' };
    expect(problemsOf(env)).toHaveLength(3);
    expect(() => load(env)).toThrow(/^The configuration cannot be used:\n- Service_Port: .*\n- .*\n- .*$/);
  });

  it('are not repeated when they are long', () => {
    expect(problemsOf({ Service_Port: 'x'.repeat(1000) })[0]?.length).toBeLessThan(160);
  });

  it.each([
    { Service_Bootstrap__ServerServiceAccountTokenSecret: 'too-short-secret' },
    { Service_ConnectionStrings__Default: 'Host=db;Password=hush-hush' },
    { Service_ConnectionStrings__Default: 'postgres://me:hush-hush@db:x/devices' },
    { ...SERVICE_ACCOUNT, Service_Bootstrap__ServerServiceAccountTokenId: '' },
    { Service_Bootstrap__AdminPassword: 'hush-hush' },
    { Service_Bootstrap__AdminPatSecret: 'hush-hush' },
    // The value belongs to another option.
    { Service_Bootstrap__ServerServiceAccountTokenId: SECRET },
    { Service_AppOptions__PublicUrl: 'https://me:hush-hush@devices' },
  ])('never repeats a secret: %j', (env) => {
    const text = problemsOf(env).join('\n');
    expect(text).not.toBe('');
    for (const value of ['too-short-secret', 'hush-hush', SECRET]) expect(text).not.toContain(value);
  });
});

describe('unknown option names', () => {
  it('cause one warning each, with the nearest known name, and do not stop the start', () => {
    expect(load({ Service_AppOptions__EnableCorss: 'true', Service_Something: '1', PATH: '/bin' }).warnings).toEqual([
      'Service_AppOptions__EnableCorss is not an option of this service; did you mean Service_AppOptions__EnableCors?',
      'Service_Something is not an option of this service.',
    ]);
  });
});

describe('bootstrap', () => {
  it('reads the service account, with its ids in lower case', () => {
    expect(load(SERVICE_ACCOUNT).settings.bootstrap.serviceAccount).toEqual({
      name: 'rmm',
      description: '',
      id: null,
      tokenId: GUID.toLowerCase(),
      tokenSecret: SECRET,
    });
  });

  it.each([
    [['TokenId', 'TokenSecret'], ['Name']],
    [['Name', 'TokenSecret'], ['TokenId']],
    [['Name', 'TokenId'], ['TokenSecret']],
    [['Name'], ['TokenId', 'TokenSecret']],
    [['TokenSecret'], ['Name', 'TokenId']],
  ])('stops when only %j are set', (given, missing) => {
    const env = Object.fromEntries(
      Object.entries(SERVICE_ACCOUNT).filter(([name]) => given.some((part) => name.endsWith(`Account${part}`))),
    );
    expect(problemsOf(env).map((problem) => problem.split(':')[0])).toEqual(
      missing.map((part) => `Service_Bootstrap__ServerServiceAccount${part}`),
    );
  });

  it.each([
    ...['x'.repeat(31), 'x'.repeat(480), 'ü'.repeat(32), `${'x'.repeat(32)} `, `${'x'.repeat(31)}\n${'x'.repeat(31)}`].map((secret) => [
      'Service_Bootstrap__ServerServiceAccountTokenSecret',
      secret,
      '32 to 479 printable ASCII characters, none of them a space at an end.',
    ]),
    ['Service_Bootstrap__ServerServiceAccountTokenId', 'not-a-guid', 'a GUID with hyphens, not all zero, got "not-a-guid".'],
    ['Service_Bootstrap__ServerServiceAccountTokenId', '00000000-0000-0000-0000-000000000000', 'a GUID with hyphens, not all zero.'],
    ['Service_Bootstrap__ServerServiceAccountName', 'x'.repeat(101), 'at most 100 characters.'],
    ['Service_Bootstrap__ServerServiceAccountDescription', 'x'.repeat(501), 'at most 500 characters.'],
  ])('refuses %s=%s, and says nothing else', (name, value, expected) => {
    expect(problemsOf({ ...SERVICE_ACCOUNT, [name]: value })).toEqual([`${name}: expected ${expected}`]);
  });

  it.each([32, 479])('accepts a secret of %d characters', (length) => {
    expect(problemsOf({ ...SERVICE_ACCOUNT, Service_Bootstrap__ServerServiceAccountTokenSecret: 'x'.repeat(length) })).toEqual([]);
  });

  it('reads the administrator, which needs an address and a password', () => {
    const administrator = { Service_Bootstrap__AdminEmail: 'admin@example.org', Service_Bootstrap__AdminPassword: 'Passw0rd' };
    expect(load(administrator).settings.bootstrap.administrator).toEqual({
      email: 'admin@example.org',
      password: 'Passw0rd',
      personalAccessToken: null,
    });
    const token = { Service_Bootstrap__AdminPatTokenId: GUID, Service_Bootstrap__AdminPatSecret: SECRET };
    expect(load({ ...administrator, ...token }).settings.bootstrap.administrator?.personalAccessToken).toEqual({
      id: GUID.toLowerCase(),
      secret: SECRET,
    });
    expect(problemsOf({ Service_Bootstrap__AdminEmail: 'admin@example.org' })).toEqual([
      'Service_Bootstrap__AdminPassword: expected a value, because Service_Bootstrap__AdminEmail needs it.',
    ]);
    expect(problemsOf(token)).toHaveLength(1);
  });
});

describe('the database', () => {
  it('prefers a connection string over the single variables', () => {
    const { settings, warnings } = load({ Service_ConnectionStrings__Default: 'postgres://me:pw@db/devices', POSTGRES_HOST: 'other' });
    expect(settings.database).toEqual({
      kind: 'external',
      host: 'db',
      port: 5432,
      user: 'me',
      password: 'pw',
      database: 'devices',
      ssl: false,
    });
    expect(warnings).toEqual(['Service_ConnectionStrings__Default names the database; the POSTGRES_ variables are not used.']);
  });

  it('does not repeat the part of a password after an unquoted semicolon', () => {
    const { warnings } = load({ Service_ConnectionStrings__Default: 'Host=db;Username=me;Password=hush;hush=1' });
    expect(warnings).toEqual(['Service_ConnectionStrings__Default: 1 of its parts are not known and not used.']);
  });

  it.each([
    [{ POSTGRES_HOST: 'db' }, { host: 'db', port: 5432, user: 'postgres', database: 'postgres' }],
    [
      { POSTGRES_PASSWORD: 'pw', POSTGRES_USER: 'me' },
      { host: 'localhost', user: 'me', password: 'pw', database: 'me' },
    ],
    [
      { POSTGRES_HOST: 'db', POSTGRES_PORT: '6000', POSTGRES_DB: 'devices' },
      { host: 'db', port: 6000, database: 'devices' },
    ],
    [
      { POSTGRES_HOST: 'postgres://db:6001', POSTGRES_PORT: '6000' },
      { host: 'db', port: 6001 },
    ],
    [{ Service_POSTGRES_HOST: 'db' }, { host: 'db' }],
  ])('takes %j', (env, database) => {
    expect(load(env).settings.database).toMatchObject({ kind: 'external', ...database });
  });
});

describe('the settings file', () => {
  it('is read when it exists, and the environment overrides it', async () => {
    const content = {
      Port: 9000,
      AppOptions: { EnableCors: true, CorsAllowedOrigins: ['https://a.example', 'https://b.example'], AgentClockSkewTolerance: null },
    };
    await writeFile(join(cwd, 'settings.json'), `\uFEFF${JSON.stringify(content)}`);
    expect(load().settings).toMatchObject({
      port: 9000,
      appOptions: { enableCors: true, corsAllowedOrigins: ['https://a.example', 'https://b.example'], agentClockSkewTolerance: null },
    });
    expect(load({ Service_Port: '9001', Service_AppOptions__CorsAllowedOrigins: '' }).settings).toMatchObject({
      port: 9001,
      appOptions: { corsAllowedOrigins: [] },
    });
  });

  it('must exist when it is named explicitly', async () => {
    await writeFile(join(cwd, 'other.json'), '{"port": 9000}');
    expect(load({ Service_SettingsFile: 'other.json' }).settings.port).toBe(9000);
    expect(problemsOf({ Service_SettingsFile: 'absent.json' })).toEqual([`${join(cwd, 'absent.json')}: expected a file that can be read`]);
  });

  it.each(['{"AppOptions": {"SmtpPassword": "hush-hush" oops', '[]', '"hush-hush"', 'null'])(
    'is reported by its path, without its content, when it contains %s',
    async (content) => {
      await writeFile(join(cwd, 'settings.json'), content);
      const [problem] = problemsOf({});
      expect(problem).toMatch(/settings\.json: expected a JSON object/);
      expect(problem).not.toContain('hush-hush');
    },
  );

  it('has a size limit and a depth limit', async () => {
    await writeFile(join(cwd, 'settings.json'), JSON.stringify({ Port: ' '.repeat(1024 * 1024) }));
    expect(problemsOf({})).toEqual([expect.stringContaining('at most 1048576 bytes')]);
    await writeFile(join(cwd, 'settings.json'), `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`);
    expect(problemsOf({})).toEqual([expect.stringContaining('at most 8 levels')]);
  });

  it('names the option and the file in problems and warnings', async () => {
    const file = join(cwd, 'settings.json');
    await writeFile(file, JSON.stringify({ AppOptions: { SmtpPort: 'x' } }));
    expect(problemsOf({})).toEqual([`AppOptions:SmtpPort in ${file}: expected a whole number from 1 to 65535, got "x".`]);
    await writeFile(file, JSON.stringify({ AppOptions: { SmtpPorts: 25 } }));
    expect(load().warnings).toEqual([
      `AppOptions:SmtpPorts in ${file} is not an option of this service; did you mean AppOptions:SmtpPort?`,
    ]);
  });
});

describe('the secrets folder', () => {
  const withSecrets = { Service_AppOptions__EnableDockerSecrets: 'true', Service_SecretsPath: 'secrets' };

  it('overrides the environment when it is switched on', async () => {
    await mkdir(join(cwd, 'secrets'));
    await writeFile(join(cwd, 'secrets', 'AppOptions__SmtpPassword'), 'from the folder\n');
    await writeFile(join(cwd, 'secrets', 'POSTGRES_PASSWORD'), 'pw');
    await writeFile(join(cwd, 'secrets', 'unrelated'), 'x');
    const { settings, warnings } = load({ ...withSecrets, Service_AppOptions__SmtpPassword: 'from the environment', POSTGRES_HOST: 'db' });
    expect(settings.appOptions.smtpPassword).toBe('from the folder');
    expect(settings.database).toMatchObject({ password: 'pw' });
    expect(warnings).toEqual([]);
    expect(load({ Service_SecretsPath: 'secrets' }).settings.appOptions.smtpPassword).toBe('');
  });

  it('must exist when it is switched on', () => {
    expect(problemsOf(withSecrets)).toEqual([expect.stringMatching(/secrets: expected a folder of secrets that can be read/)]);
  });

  it('is refused with the name of the unreadable file; names that begin with a dot are ignored', async () => {
    await mkdir(join(cwd, 'secrets'));
    await symlink('/nonexistent', join(cwd, 'secrets', '..data'));
    expect(problemsOf(withSecrets)).toEqual([]);
    const secret = join(cwd, 'secrets', 'POSTGRES_PASSWORD');
    await symlink('/nonexistent', secret);
    expect(problemsOf(withSecrets)).toEqual([expect.stringContaining(`${secret}: expected a secret that can be read`)]);
  });

  it('has a size limit for each file', async () => {
    await mkdir(join(cwd, 'secrets'));
    await writeFile(join(cwd, 'secrets', 'AppOptions__SmtpPassword'), 'x'.repeat(64 * 1024 + 1));
    expect(problemsOf(withSecrets)).toEqual([expect.stringContaining('at most 65536 bytes')]);
  });
});

describe('options that are given once for each number', () => {
  const provider = (number: number, values: Record<string, string>): NodeJS.ProcessEnv =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`Service_OpenIdConnect__${number}__${name}`, value]));
  const COMPLETE = { Name: 'corporate', Issuer: 'https://id.example/realm/', ClientId: 'service', ClientSecret: SECRET };

  it('make a list in the order of the numbers, from all sources together', async () => {
    await writeFile(join(cwd, 'settings.json'), JSON.stringify({ OpenIdConnect: [{ Name: 'file', Issuer: 'http://localhost:9000' }] }));
    const { settings, warnings } = load({
      ...provider(10, { ...COMPLETE, Name: 'ten', DisplayName: 'Ten' }),
      ...provider(2, { ...COMPLETE, Name: 'two', Scopes: 'openid', ClientAuthentication: 'post' }),
      ...provider(0, { ClientId: 'service', ClientSecret: SECRET }),
    });
    expect(warnings).toEqual([]);
    const common = { clientId: 'service', clientSecret: SECRET, clientAuthentication: 'Basic', scopes: 'openid profile email' };
    expect(settings.openIdConnect).toEqual([
      { ...common, number: '0', name: 'file', displayName: 'file', issuer: 'http://localhost:9000' },
      { ...common, number: '2', name: 'two', displayName: 'two', issuer: COMPLETE.Issuer, scopes: 'openid', clientAuthentication: 'Post' },
      { ...common, number: '10', name: 'ten', displayName: 'Ten', issuer: COMPLETE.Issuer },
    ]);
    expect(JSON.stringify(redacted(settings))).not.toContain(SECRET);
  });

  it.each([
    [{ Name: 'corporate' }, ['Issuer', 'ClientId', 'ClientSecret'], 'expected a value'],
    [{ ...COMPLETE, Name: 'Corporate Login' }, ['Name'], '1 to 32 lower-case letters, digits and hyphens'],
    [{ ...COMPLETE, Name: 'github' }, ['Name'], 'a name that no other provider has'],
    [{ ...COMPLETE, ClientAuthentication: 'None' }, ['ClientAuthentication'], 'one of Basic, Post'],
    [{ ...COMPLETE, Issuer: 'http://id.example' }, ['Issuer'], 'an https:// address'],
    [{ ...COMPLETE, Issuer: 'https://id.example/?tenant=1' }, ['Issuer'], 'an https:// address'],
  ])('are refused as %j', (values, names, expected) => {
    const problems = problemsOf(provider(3, values));
    expect(problems).toEqual(names.map((name) => expect.stringMatching(`^Service_OpenIdConnect__3__${name}: expected .*`)));
    for (const problem of problems) expect(problem).toContain(expected);
  });

  it('are refused when a name is given twice', () => {
    expect(problemsOf({ ...provider(0, COMPLETE), ...provider(1, COMPLETE) })).toEqual([
      'Service_OpenIdConnect__1__Name: expected a name that no other provider has.',
    ]);
  });

  it('are warned of when they are no options', () => {
    const { warnings } = load({ ...provider(0, { ...COMPLETE, Colour: 'red' }) });
    expect(warnings).toEqual([expect.stringContaining('Service_OpenIdConnect__0__Colour is not an option of this service')]);
  });
});

describe('redacted', () => {
  it('shows the settings without a single secret', () => {
    const secrets = Object.values(OPTIONS).flatMap((group) => Object.values(group).filter(({ secret }) => secret));
    const env = {
      ...SERVICE_ACCOUNT,
      ...NODES,
      Service_Bootstrap__AdminEmail: 'admin@example.org',
      Service_Bootstrap__AdminPatTokenId: GUID,
      ...Object.fromEntries(secrets.map(({ key }) => [variableOf(key), SECRET])),
      Service_Nodes__NatsSeed: '',
      Service_ConnectionStrings__Default: `Host=db;Username=me;Password=${SECRET}`,
    };
    const text = JSON.stringify(redacted(load(env).settings));
    expect(text).not.toContain(SECRET);
    expect(text).toContain('admin@example.org');
    expect(text).toContain('"password":"***"');
  });
});

describe('the destinations of logs', () => {
  it.each(['tls://logs.example:6514', 'tcp://10.0.0.1:601', 'udp://[::1]:514'])('may be the receiver of syslog %s', (url) => {
    expect(load({ Service_Forwarding__SyslogUrl: url }).settings.forwarding.syslogUrl).toBe(url);
  });

  it.each([
    'tls://logs.example',
    'tls://:6514',
    'tcp://me@logs.example:601',
    'tcp://logs.example:601/path',
    'https://logs.example:6514',
    'logs.example:514',
  ])('may not be the receiver of syslog %s', (url) => {
    expect(problemsOf({ Service_Forwarding__SyslogUrl: url })).toHaveLength(1);
  });

  it('may be a file that exists or that does not, in a folder that exists', async () => {
    await writeFile(join(cwd, 'lines.jsonl'), '');
    expect(load({ Service_Forwarding__File: 'lines.jsonl' }).settings.forwarding.file).toBe(join(cwd, 'lines.jsonl'));
    expect(load({ Service_Forwarding__File: 'new.jsonl' }).settings.forwarding.file).toBe(join(cwd, 'new.jsonl'));
    for (const file of ['.', 'lines.jsonl/more', 'nowhere/lines.jsonl', '/dev/null']) {
      expect(problemsOf({ Service_Forwarding__File: file })).toEqual([
        'Service_Forwarding__File: expected a file in a folder that exists, or -.',
      ]);
    }
  });
});

describe('contradictions', () => {
  it.each([
    [{ Service_AppOptions__DisableEmailSending: 'true', Service_AppOptions__RequireUserEmailConfirmation: 'true' }, /keeps the mail back/],
    [{ Service_AppOptions__RequireUserEmailConfirmation: 'true' }, /there is no mail server/],
    [
      {
        Service_AppOptions__SmtpHost: 'mail.example',
        Service_AppOptions__SmtpEmail: 'a@b.example',
        Service_AppOptions__SmtpDisplayName: 'A',
      },
      /the links in mails need AppOptions:PublicUrl/,
    ],
    [{ Service_AppOptions__CorsAllowedOrigins: 'https://a.example' }, /EnableCors is off/],
    [{ Service_AppOptions__GitHubClientId: 'x' }, /Nobody signs in with GitHub/],
    [{ Service_AppOptions__MicrosoftClientSecret: 'x' }, /Nobody signs in with Microsoft/],
    [{ Service_AppOptions__EnableNetworkTrust: 'true', Service_AppOptions__KnownProxies: '10.0.0.1' }, /trusts everyone/],
    [{ Service_Forwarding__File: '-', Service_Forwarding__Logs: '' }, /names no log/],
    [{ Service_Forwarding__HttpToken: 'a-long-token' }, /no effect without Forwarding:HttpUrl/],
    [
      { Service_Forwarding__HttpToken: 'a-long-token', Service_Forwarding__HttpUrl: 'http://logs.example/' },
      /crosses the network unencrypted/,
    ],
  ])('warns of %j', (env, warning) => {
    expect(load(env).warnings).toContainEqual(expect.stringMatching(warning));
  });
});

describe('the options of several nodes', () => {
  it('have defaults besides what must be named', () => {
    const { nodes } = load(NODES).settings;
    expect(nodes).toMatchObject({ secret: [NODES.Service_Nodes__Secret], port: 8091, bindAddress: '', address: '' });
  });

  it.each([
    [{ Service_Nodes__Secret: undefined }, 'Service_Nodes__Secret: is needed with Service_Nodes__Nats, the same on all processes.'],
    [
      { Service_Nodes__Secret: `${'a'.repeat(32)},${'b'.repeat(32)},${'c'.repeat(32)}` },
      'Service_Nodes__Secret: expected two secrets at most.',
    ],
    [{ Service_Nodes__Secret: 'short' }, 'Service_Nodes__Secret: expected a list'],
    [{ Service_Nodes__Address: 'node-1' }, 'Service_Nodes__Address: expected a host and a port'],
    [{ Service_Nodes__Nats: undefined }, 'Service_Nodes__Secret: has a meaning with Service_Nodes__Nats only, which is missing.'],
  ])('are refused by name: %o', (changes, problem) => {
    expect(problemsOf({ ...NODES, ...changes }).join('\n')).toContain(problem);
  });

  it('do not show the secret', () => {
    expect(JSON.stringify(redacted(load(NODES).settings))).not.toContain(NODES.Service_Nodes__Secret);
  });
});

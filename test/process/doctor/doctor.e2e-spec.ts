import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { FindingKind } from '../../../src/system/doctor/finding-kinds.js';
import { Severity } from '../../../src/system/doctor/finding.js';
import type { Environment } from '../../support/processes/service-process.js';
import { Installation } from './installation.js';

const LONG = 300_000;
const WARNING = 1;
const FAILURE = 2;

let sound: Installation;

beforeAll(async () => {
  sound = await Installation.start();
}, LONG);

afterAll(() => sound.close());

/** A fault with the sentence that the doctor finds for it. */
interface Planted {
  readonly kind: FindingKind;
  readonly code: number;
  readonly says: RegExp;
  /** Options with which the doctor runs. */
  readonly env?: () => Environment;
  readonly plant?: () => Promise<unknown>;
  readonly mend?: () => Promise<unknown>;
}

const FAULTS: readonly Planted[] = [
  {
    kind: 'configuration-invalid',
    code: FAILURE,
    says: /Service_AppOptions__SmtpPort: expected a whole number/,
    env: () => ({ Service_AppOptions__SmtpPort: 'smtp' }),
  },
  {
    kind: 'option-unknown',
    code: WARNING,
    says: /Service_AppOptions__PublicUlr is not an option of this service; did you mean Service_AppOptions__PublicUrl\?/,
    env: () => ({ Service_AppOptions__PublicUlr: 'https://devices.example.org' }),
  },
  {
    kind: 'options-contradict',
    code: WARNING,
    says: /CorsAllowedOrigins has no effect while AppOptions:EnableCors is off/,
    env: () => ({ Service_AppOptions__CorsAllowedOrigins: 'https://example.org' }),
  },
  {
    kind: 'network-trusted',
    code: WARNING,
    says: /EnableNetworkTrust is on/,
    env: () => ({ Service_AppOptions__EnableNetworkTrust: 'true' }),
  },
  {
    kind: 'database-unreachable',
    code: FAILURE,
    says: /The database cannot be reached: .*ECONNREFUSED/,
    env: () => ({ POSTGRES_HOST: '127.0.0.1', POSTGRES_PORT: '1', POSTGRES_DB: 'app' }),
  },
  {
    kind: 'database-connections',
    code: FAILURE,
    says: /The account service can have 10 connections, and 1 process of the service needs 29/,
    plant: () => sound.superuser('ALTER ROLE service CONNECTION LIMIT 10'),
    mend: () => sound.superuser('ALTER ROLE service CONNECTION LIMIT -1'),
  },
  {
    kind: 'database-unsafe',
    code: FAILURE,
    says: /These settings are off: synchronous_commit/,
    plant: () => sound.superuser('ALTER ROLE service SET synchronous_commit = off'),
    mend: () => sound.superuser('ALTER ROLE service RESET synchronous_commit'),
  },
  {
    kind: 'database-owner',
    code: FAILURE,
    says: /1 table does not belong to the account service/,
    plant: () => sound.superuser('ALTER TABLE tags OWNER TO app'),
    mend: () => sound.superuser('ALTER TABLE tags OWNER TO service'),
  },
  {
    kind: 'data-folder-open',
    code: FAILURE,
    says: /Every account can write to /,
    plant: () => chmod(sound.dataPath, 0o777),
    mend: () => chmod(sound.dataPath, 0o755),
  },
  {
    kind: 'disk-short',
    code: WARNING,
    says: /left, less than the .* GiB that stay free/,
    env: () => ({ Service_AppOptions__UploadSpoolReserve: '900000000000000' }),
  },
];

describe('the doctor', () => {
  it('finds nothing on a sound installation', async () => {
    const { code, report } = await sound.report();
    expect(report.findings.filter(({ kind }) => kind !== null)).toEqual([]);
    expect({ code, severity: report.severity }).toEqual({ code: 0, severity: Severity.Ok });
  });

  it.each(FAULTS)('finds $kind, and nothing else', async ({ kind, code, says, env, plant, mend }) => {
    await plant?.();
    try {
      const examined = await sound.report(env?.());
      const faults = examined.report.findings.filter((finding) => finding.kind !== null);
      expect(faults).toMatchObject([{ kind, what: expect.stringMatching(says) as string, docs: expect.stringContaining(kind) as string }]);
      expect(examined.code).toBe(code);
    } finally {
      await mend?.();
    }
  });

  it('says in a terminal what is wrong, why it matters and what to do', async () => {
    const { code, output } = await sound.doctor([], { Service_AppOptions__EnableNetworkTrust: 'true' });
    expect(code).toBe(WARNING);
    expect(output).toMatch(/ok +PostgreSQL 18/);
    expect(output).toMatch(
      /WARNING +AppOptions:EnableNetworkTrust is on\.\n +Every client can name any address.*\n +Turn .*\n +See docs\/operations\.md#/,
    );
    expect(output).toContain('0 failures, 1 warning. (release');
  });

  it('explains a wrong command line', async () => {
    expect(await sound.doctor(['--fast'])).toEqual({ code: 3, output: expect.stringContaining('Usage: npm run doctor') as string });
  });

  it('creates nothing where the service has never run', async () => {
    const path = join(sound.machine.folder, 'nowhere');
    const { code, report } = await sound.report({ Service_DataPath: path });
    expect(code).toBe(FAILURE);
    expect(report.findings.flatMap(({ kind }) => kind ?? [])).toEqual(['database-empty', 'data-folder-missing']);
    // The path is still free.
    await writeFile(path, '', { flag: 'wx' });
  });
});

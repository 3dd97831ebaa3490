import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import { plainEnvironment, type Service } from '../../../demo/service.js';
import type { DoctorReport } from '../../../src/system/doctor/examination.js';
import { builtProject, Machine, type Environment } from '../../support/processes/service-process.js';

/** A run of the doctor that has ended. */
export interface Examined {
  readonly code: number | null;
  readonly output: string;
}

/** Longest run of the doctor, in milliseconds. */
const DEADLINE_MS = 120_000;

/** An installation without faults, with a service that runs. */
export class Installation {
  private constructor(
    readonly machine: Machine,
    readonly service: Service,
    private readonly project: string,
    private readonly env: Environment,
  ) {}

  static async start(): Promise<Installation> {
    const project = await builtProject();
    const machine = await Machine.afterFirstStart();
    const env = {
      NODE_ENV: 'production',
      Service_DataPath: machine.dataPath,
      Service_Bootstrap__AdminEmail: 'admin@example.org',
      Service_Bootstrap__AdminPassword: 'Aa1-of-the-administrator',
      Service_AppOptions__UploadSpoolReserve: '1',
    };
    const service = await machine.start(env);
    return new Installation(machine, service, project, env);
  }

  get dataPath(): string {
    return this.machine.dataPath;
  }

  /** Runs the doctor to its end. `env` adds to the configuration of the service. */
  async doctor(args: readonly string[] = [], env: Environment = {}): Promise<Examined> {
    const folder = join(this.machine.folder, 'doctor');
    await mkdir(folder, { recursive: true });
    const options = { cwd: folder, env: { ...plainEnvironment(), ...this.env, ...env }, timeout: DEADLINE_MS };
    return new Promise((resolve) => {
      const program = execFile(
        process.execPath,
        [join(this.project, 'dist/src/doctor.js'), ...args],
        options,
        (_error, output, complaints) => resolve({ code: program.exitCode, output: output === '' ? complaints : output }),
      );
    });
  }

  /** As `doctor`, with its report. */
  async report(env: Environment = {}): Promise<{ readonly code: number | null; readonly report: DoctorReport }> {
    const { code, output } = await this.doctor(['--json'], env);
    return { code, report: JSON.parse(output) as DoctorReport };
  }

  /** Runs a statement as the superuser of the bundled database. */
  async superuser(statement: string): Promise<void> {
    const client = new pg.Client({ host: join(this.dataPath, 'run'), user: 'app', database: 'app' });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  close(): Promise<void> {
    return this.machine.close();
  }
}

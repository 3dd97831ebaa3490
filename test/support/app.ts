import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConsoleLogger, type Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';

import { AppModule } from '../../src/app.module.js';
import { setUpApplication } from '../../src/app.setup.js';
import { BackgroundJobs } from '../../src/background/background-jobs.js';
import { Clock } from '../../src/common/clock.js';
import { formatKey } from '../../src/common/secret.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { BootstrapService } from '../../src/service-accounts/bootstrap.service.js';
import { ApiClient } from './api-client.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { TestClock } from './test-clock.js';

/** Id and secret of the credential that every test application is bootstrapped with. */
const TOKEN_ID = 'f3e2d1c0-b5a4-4798-8a6b-5c4d3e2f1a0b';
const TOKEN_SECRET = 'a-bootstrap-secret-of-at-least-32-characters';

/** Header value of the bootstrapped Unrestricted server service account. */
export const ROOT_KEY = formatKey(TOKEN_ID, TOKEN_SECRET);

/** The real application on a database of its own, listening on a free port. */
export class TestApp {
  private constructor(
    readonly app: NestExpressApplication,
    readonly clock: TestClock,
    readonly database: TestDatabase,
    readonly url: string,
    /** The data folder of this application. */
    readonly dataPath: string,
  ) {}

  /** Starts the application; `env` adds or replaces configuration, `modules` adds throw-away rooms of the test's own. */
  static async start(env: Record<string, string> = {}, modules: readonly Type[] = []): Promise<TestApp> {
    const database = await createTestDatabase();
    const { host, port, user, database: name, password } = database.connection;
    const dataPath = await mkdtemp(join(tmpdir(), 'service-'));
    const { settings } = loadSettings({
      env: {
        POSTGRES_HOST: host,
        POSTGRES_PORT: String(port),
        POSTGRES_USER: user,
        POSTGRES_DB: name,
        ...(password === undefined ? {} : { POSTGRES_PASSWORD: password }),
        Service_DataPath: dataPath,
        Service_Bootstrap__ServerServiceAccountName: 'root',
        Service_Bootstrap__ServerServiceAccountTokenId: TOKEN_ID,
        Service_Bootstrap__ServerServiceAccountTokenSecret: TOKEN_SECRET,
        ...env,
      },
      cwd: '/nonexistent',
    });
    const clock = new TestClock();
    const module = await Test.createTestingModule({ imports: [AppModule.forRoot(settings), ...modules] })
      .overrideProvider(Clock)
      .useValue(clock)
      .compile();
    const app = module.createNestApplication<NestExpressApplication>({
      bodyParser: false,
      logger: new ConsoleLogger('Test', { logLevels: ['fatal'] }),
    });
    setUpApplication(app);
    await app.get(BootstrapService).run();
    await app.listen(0, '127.0.0.1');
    // What the jobs do at the start is not what a test has changed.
    await app.get(BackgroundJobs).idle();
    const { port: listening } = app.getHttpServer().address() as AddressInfo;
    return new TestApp(app, clock, database, `http://127.0.0.1:${listening}`, dataPath);
  }

  /** A client that calls with the given headers; without any, as the bootstrapped account. */
  client(headers: Record<string, string> = { 'x-api-key': ROOT_KEY }): ApiClient {
    return new ApiClient(this.url, headers);
  }

  /** The pool of the application, for looking at rows. */
  get dataSource(): DataSource {
    return this.app.get(DataSource);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.database.drop();
    await rm(this.dataPath, { recursive: true, force: true });
  }
}

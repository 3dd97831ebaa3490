import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConsoleLogger, type Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';

import { PasswordCost } from '../../../src/access/authentication/passwords/password-cost.js';
import { AppModule } from '../../../src/app.module.js';
import { setUpApplication } from '../../../src/app.setup.js';
import { DeviceTimes } from '../../../src/devices/device-link/device-times.js';
import { ViewerLimits } from '../../../src/live/hubs/viewer/connections/viewer-places.js';
import { RelayLimits } from '../../../src/live/relay/relay-limits.js';
import { AdministratorBootstrap } from '../../../src/people/registration/administrator-bootstrap.js';
import { BootstrapService } from '../../../src/people/service-accounts/bootstrap.service.js';
import { ConstantTimeReply } from '../../../src/people/sign-in/constant-time-reply.js';
import { formatKey } from '../../../src/platform/common/identifiers/secret.js';
import { Clock } from '../../../src/platform/common/runtime/clock.js';
import { loadSettings } from '../../../src/platform/config/load-settings.js';
import { ServiceAdapter } from '../../../src/platform/http/service-adapter.js';
import { ALONE, DrainTimes } from '../../../src/platform/node/drain-times.js';
import { NodeTimes } from '../../../src/platform/node/node-times.js';
import { BackgroundJobs } from '../../../src/system/background/background-jobs.js';
import { createTestDatabase, type TestDatabase } from '../brokers/postgres.js';
import { BACKUP_FAR_AWAY } from '../setup/nightly-backup.js';
import { ApiClient } from './api-client.js';
import { hasSeveralNodes, SeveralNodes } from './several-nodes.js';
import { LowPasswordCost, ShortReply } from './sign-in-costs.js';
import { TestClock } from './test-clock.js';

/** Id and secret of the credential that every test application is bootstrapped with. */
const TOKEN_ID = 'f3e2d1c0-b5a4-4798-8a6b-5c4d3e2f1a0b';
const TOKEN_SECRET = 'a-bootstrap-secret-of-at-least-32-characters';

/** Header value of the bootstrapped Unrestricted server service account. */
export const ROOT_KEY = formatKey(TOKEN_ID, TOKEN_SECRET);

/** Something that a test starts and must stop. */
export interface Stoppable {
  stop(): Promise<unknown>;
}

/** Parts that exist only while the application runs. */
interface Running {
  readonly app: NestExpressApplication;
  readonly database: TestDatabase;
  readonly url: string;
  readonly dataPath: string;
}

/** The parts that an application takes over from another one. */
interface Former extends Pick<Running, 'database'>, Partial<Pick<Running, 'dataPath'>> {
  /** The application that this is another node of, behind one balancer: they have the same clock, times and limits. */
  readonly first?: TestApp;
}

/** Figures that tests change, and that are the same on all nodes behind one balancer. */
const SHARED_FIGURES = [DeviceTimes, NodeTimes, RelayLimits, ViewerLimits] as const;

/** The real application with its own database, listening on a free port. */
export class TestApp {
  readonly clock: TestClock;
  private hasRealSignIns = false;
  private running: Running | undefined;
  private several: SeveralNodes | undefined;
  private readonly stopping: Stoppable[] = [];

  /**
   * `env` adds or replaces configuration, `modules` adds Nest modules that only the test has. The application takes over the
   * database and the data folder of the `former` one, or makes new ones.
   */
  constructor(
    private readonly env: Record<string, string> = {},
    private readonly modules: readonly Type[] = [],
    private readonly former?: Former,
  ) {
    this.clock = former?.first?.clock ?? new TestClock();
  }

  /** Starts an application. */
  static async start(env: Record<string, string> = {}, modules: readonly Type[] = []): Promise<TestApp> {
    const server = new TestApp(env, modules);
    await server.start();
    return server;
  }

  /** Lets passwords and refused sign-ins take the time that they take in the service. For tests that are about it, before the start. */
  withRealSignIns(): this {
    this.hasRealSignIns = true;
    return this;
  }

  async start(): Promise<void> {
    const first = this.former?.first;
    const several = hasSeveralNodes && first === undefined ? await SeveralNodes.prepare() : undefined;
    await this.startWith({ ...this.env, ...several?.env }, several ?? first?.several);
    await several?.start(this, () => this.anotherNode());
  }

  /** Another node of this application, which has not started. */
  private anotherNode(): TestApp {
    const node = new TestApp({ ...this.env, ...this.several?.env }, this.modules, { database: this.database, first: this });
    node.hasRealSignIns = this.hasRealSignIns;
    return node;
  }

  private async startWith(env: Record<string, string>, several: SeveralNodes | undefined): Promise<void> {
    this.several = several;
    const database = this.former?.database ?? (await createTestDatabase());
    const { host, port, user, database: name, password } = database.connection;
    const dataPath = this.former?.dataPath ?? (await mkdtemp(join(tmpdir(), 'service-')));
    const { settings } = loadSettings({
      env: {
        POSTGRES_HOST: host,
        POSTGRES_PORT: String(port),
        POSTGRES_USER: user,
        POSTGRES_DB: name,
        ...(password === undefined ? {} : { POSTGRES_PASSWORD: password }),
        Service_DataPath: dataPath,
        // Bundles that were built in the project folder are not published here.
        Service_AgentBundle__Folder: join(dataPath, 'agent-bundles'),
        Service_Bootstrap__ServerServiceAccountName: 'root',
        Service_Bootstrap__ServerServiceAccountTokenId: TOKEN_ID,
        Service_Bootstrap__ServerServiceAccountTokenSecret: TOKEN_SECRET,
        ...BACKUP_FAR_AWAY,
        ...env,
      },
      cwd: '/nonexistent',
    });
    const building = Test.createTestingModule({ imports: [AppModule.forRoot(settings), ...this.modules] });
    const first = this.former?.first?.app;
    if (first !== undefined) {
      for (const figures of SHARED_FIGURES) building.overrideProvider(figures).useValue(first.get(figures, { strict: false }));
    }
    const module = await building
      .overrideProvider(Clock)
      .useValue(this.clock)
      .overrideProvider(ConstantTimeReply)
      .useClass(this.hasRealSignIns ? ConstantTimeReply : ShortReply)
      // Tests share databases as several processes do, but no balancer has to hear of a stop.
      .overrideProvider(DrainTimes)
      .useValue(ALONE)
      .overrideProvider(PasswordCost)
      .useClass(this.hasRealSignIns ? PasswordCost : LowPasswordCost)
      .compile();
    const app = module.createNestApplication<NestExpressApplication>(new ServiceAdapter(), {
      bodyParser: false,
      logger: new ConsoleLogger('Test', { logLevels: ['fatal'] }),
    });
    setUpApplication(app);
    await app.get(BootstrapService).run();
    await app.get(AdministratorBootstrap).run();
    several?.prepareNode(app);
    await app.listen(0, '127.0.0.1');
    // The jobs run once at the start. They must not change what a test checks.
    await app.get(BackgroundJobs).idle();
    const { port: listening } = app.getHttpServer().address() as AddressInfo;
    this.running = { app, database, url: `http://127.0.0.1:${listening}`, dataPath };
  }

  /** Starts another application on the database and the data folder of this one, which must be closed. */
  async startAgain(): Promise<TestApp> {
    const next = new TestApp(this.env, this.modules, this.parts);
    next.hasRealSignIns = this.hasRealSignIns;
    await next.start();
    return next;
  }

  /** Starts another application on the database of this one, with a data folder of its own: another node, whose options may differ. */
  async startBeside(changes: Record<string, string> = {}): Promise<TestApp> {
    const { database } = this.parts;
    const node = new TestApp({ ...this.env, ...changes }, this.modules, { database });
    await node.start();
    return node;
  }

  get app(): NestExpressApplication {
    return this.parts.app;
  }

  get database(): TestDatabase {
    return this.parts.database;
  }

  /** The address for clients: of the balancer, if there are several nodes. */
  get url(): string {
    return this.several?.url ?? this.ownUrl;
  }

  /** The address of this node itself. */
  get ownUrl(): string {
    return this.parts.url;
  }

  /** The nodes of the application, this one first; most often only this one. */
  get nodes(): readonly TestApp[] {
    return this.several?.nodes ?? [this];
  }

  /** The data folder of this application. */
  get dataPath(): string {
    return this.parts.dataPath;
  }

  /** The connection pool of the application, to read rows. */
  get dataSource(): DataSource {
    return this.app.get(DataSource);
  }

  /** A client that sends these headers; by default those of the bootstrapped account. */
  client(headers: Record<string, string> = { 'x-api-key': ROOT_KEY }): ApiClient {
    return new ApiClient(this.url, headers, () => this.several?.allHeard());
  }

  /** Makes `stop` stop this first, for example a connected agent. Returns its argument. */
  alsoStop<T extends Stoppable>(started: T): T {
    this.stopping.push(started);
    return started;
  }

  async stop(): Promise<void> {
    for (const started of this.stopping.splice(0).reverse()) await started.stop();
    await this.close();
    await this.discard();
  }

  /** Ends the application, with all its nodes. Its database and its data folder stay. */
  async close(): Promise<void> {
    await Promise.all([this.app.close(), this.several?.closeOthers()]);
    await this.several?.end();
  }

  /** Removes the database and the data folder. The application must be closed. */
  async discard(): Promise<void> {
    const { database, dataPath } = this.parts;
    await database.drop();
    await rm(dataPath, { recursive: true, force: true });
  }

  private get parts(): Running {
    if (this.running === undefined) throw new Error('The application has not started yet: it does so before the first test.');
    return this.running;
  }
}

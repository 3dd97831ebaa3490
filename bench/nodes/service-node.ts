import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Program, type ProgramEnd } from '../../demo/program.js';
import { plainEnvironment, untilListening } from '../../demo/service.js';
import { SERVICE_OPTIONS } from '../harness/service-options.js';
import { cpuSeconds } from '../harness/usage.js';

const MAIN = fileURLToPath(new URL('../../service/main.js', import.meta.url));
const TROUBLE = /\b(WARN|ERROR|FATAL)\b/;

/** The service as a process on a database of its operator. It may be stopped, killed and started again, with the same address. */
export class ServiceNode {
  private program: Program | null = null;
  private readyOutput = 0;
  /** Time from the start of the process to the line that says that it listens. */
  startMilliseconds = 0;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly variables: Readonly<Record<string, string>>,
  ) {}

  /** A node that was not started yet, with a folder of its own for its data. */
  static async in(folder: string, port: number, variables: Readonly<Record<string, string>>): Promise<ServiceNode> {
    await mkdir(folder);
    return new ServiceNode(folder, port, variables);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.running.pid;
  }

  /** Starts the process and waits until it listens. */
  async start(): Promise<void> {
    const started = performance.now();
    const env = {
      ...plainEnvironment(),
      NODE_ENV: 'production',
      NO_COLOR: '1',
      Service_Port: String(this.port),
      Service_BindAddress: '127.0.0.1',
      Service_DataPath: join(this.folder, 'data'),
      Service_AgentBundle__BuildAtStart: 'false',
      Service_AppOptions__MaxFileTransferSize: '0',
      Service_AppOptions__KnownProxies: '127.0.0.1',
      ...this.variables,
    };
    const command = [process.execPath, ...SERVICE_OPTIONS, MAIN];
    this.program = Program.start('The service', command, { cwd: this.folder, env });
    await untilListening(this.program);
    this.startMilliseconds = performance.now() - started;
    this.readyOutput = this.program.output.length;
  }

  /** Processor time in seconds; 0 while it does not run. */
  async cpuSeconds(): Promise<number> {
    return this.program?.isRunning === true ? cpuSeconds(this.program.pid) : 0;
  }

  /** Makes the service collect its garbage. */
  collectGarbage(): void {
    this.running.signal('SIGWINCH');
  }

  /** True if it says that it is ready, and reaches the other nodes. */
  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/health/ready`).catch(() => null);
    const body = (await answer?.json().catch(() => null)) as { readonly status?: string } | null | undefined;
    return answer?.status === 200 && body?.status === 'Ready';
  }

  freeze(): void {
    this.running.signal('SIGSTOP');
  }

  async kill(): Promise<void> {
    await this.program?.kill();
  }

  /** Stops it as a supervisor does. */
  async stop(): Promise<ProgramEnd | undefined> {
    return this.program?.stop();
  }

  /** Lines of warnings and errors since it listened, which cast doubt on figures. */
  trouble(): string[] {
    const output = this.program?.output.slice(this.readyOutput) ?? '';
    return output.split('\n').filter((line) => TROUBLE.test(line));
  }

  private get running(): Program {
    if (this.program === null) throw new Error('The node was not started.');
    return this.program;
  }
}

import { Program, type Calls } from './program.js';

/** The programs that a scene runs beside the service. */
export class Programs {
  private readonly started: { stop(): Promise<void> }[] = [];

  /** `variables` adds to the environment of each. */
  constructor(private readonly variables: Readonly<Record<string, string>> = {}) {}

  /** Starts a baseline or a load by its path below the bench folder. */
  start<C extends Calls>(path: string): Program<C> {
    const program = Program.start<C>(new URL(`../${path}.js`, import.meta.url), this.variables);
    this.started.push(program);
    return program;
  }

  async stop(): Promise<void> {
    await Promise.all(this.started.splice(0).map((program) => program.stop()));
  }
}

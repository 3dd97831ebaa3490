import { createFleet, type Fleet } from './database.js';
import { Program, type Calls } from './program.js';
import { makeDataDirectory, removeDataDirectory, Service } from './service.js';

/** The service with its database and devices, and the programs that a goal runs beside it. */
export class Scene {
  private readonly programs: { stop(): Promise<void> }[] = [];

  private constructor(
    readonly service: Service,
    readonly fleet: Fleet,
    private readonly variables: Readonly<Record<string, string>>,
  ) {}

  /**
   * Sets up the scene with a number of devices, runs `act`, and always cleans up. The service and all programs get the environment
   * variables.
   */
  static async play<T>(devices: number, act: (scene: Scene) => Promise<T>, variables: Readonly<Record<string, string>> = {}): Promise<T> {
    const directory = await makeDataDirectory();
    try {
      const service = await Service.start(directory, variables);
      try {
        const scene = new Scene(service, await createFleet(service.database, devices), variables);
        try {
          return await act(scene);
        } finally {
          await Promise.all(scene.programs.map((program) => program.stop()));
        }
      } finally {
        await service.stop();
      }
    } finally {
      await removeDataDirectory(directory);
    }
  }

  /** Starts a baseline or a load by its path below the bench folder. It is stopped with the scene. */
  program<C extends Calls>(path: string): Program<C> {
    const program = Program.start<C>(new URL(`../${path}.js`, import.meta.url), this.variables);
    this.programs.push(program);
    return program;
  }
}

import { createFleet, type Fleet } from './database.js';
import { Program, type Calls } from './program.js';
import { makeDataDirectory, removeDataDirectory, Service } from './service.js';

/** The service with its database and devices, and the programs that a goal runs beside it. */
export class Scene {
  private readonly programs: { stop(): Promise<void> }[] = [];

  private constructor(
    readonly service: Service,
    readonly fleet: Fleet,
  ) {}

  /** Sets up the scene with a number of devices, runs `act`, and always cleans up. */
  static async play<T>(devices: number, act: (scene: Scene) => Promise<T>): Promise<T> {
    const directory = await makeDataDirectory();
    try {
      const service = await Service.start(directory);
      try {
        const scene = new Scene(service, await createFleet(service.database, devices));
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
    const program = Program.start<C>(new URL(`../${path}.js`, import.meta.url));
    this.programs.push(program);
    return program;
  }
}

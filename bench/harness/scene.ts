import { createFleet, type Fleet } from './database.js';
import type { Program, Calls } from './program.js';
import { Programs } from './programs.js';
import { makeDataDirectory, removeDataDirectory, Service } from './service.js';

/** The service with its database and devices, and the programs that a goal runs beside it. */
export class Scene {
  private constructor(
    readonly service: Service,
    readonly fleet: Fleet,
    private readonly programs: Programs,
  ) {}

  /**
   * Sets up the scene with a number of devices, runs `act`, and always cleans up. The service and all programs get the environment
   * variables. `main` is the file of another build of the service.
   */
  static async play<T>(
    devices: number,
    act: (scene: Scene) => Promise<T>,
    variables: Readonly<Record<string, string>> = {},
    main?: string,
  ): Promise<T> {
    const directory = await makeDataDirectory();
    try {
      const service = await Service.start(directory, variables, main);
      try {
        const programs = new Programs(variables);
        const scene = new Scene(service, await createFleet(service.database, devices), programs);
        try {
          return await act(scene);
        } finally {
          await programs.stop();
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
    return this.programs.start<C>(path);
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { Settings } from './settings.js';

/** Makes the settings available to every module: inject {@link Settings}. */
@Module({})
export class ConfigModule {
  /** Takes settings that were loaded before, because an invalid option must stop the start with a plain message. */
  static forRoot(settings: Settings): DynamicModule {
    return { module: ConfigModule, global: true, providers: [{ provide: Settings, useValue: settings }], exports: [Settings] };
  }
}

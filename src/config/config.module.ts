import { type DynamicModule, Module } from '@nestjs/common';
import { Settings } from './settings.js';

/** Gives the settings to every module: inject {@link Settings}. */
@Module({})
export class ConfigModule {
  /** The settings are loaded before there is a module, because a wrong one must stop the start with a plain message. */
  static forRoot(settings: Settings): DynamicModule {
    return { module: ConfigModule, global: true, providers: [{ provide: Settings, useValue: settings }], exports: [Settings] };
  }
}

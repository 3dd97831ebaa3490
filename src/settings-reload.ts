import { lowerLevel, type ServiceLogger } from './platform/common/runtime/service-logger.js';
import { compareSettings, type LiveSettings } from './platform/config/live-settings.js';
import { ConfigurationError, type LoadedSettings } from './platform/config/load-settings.js';
import type { Settings } from './platform/config/settings.js';

/** Reads the configuration again for a running service, and says in the log what changed, what needs a restart and what is invalid. */
export class SettingsReload {
  /** @param configured the settings as they were read at the start: the data folder may have moved since */
  constructor(
    private configured: Settings,
    private readonly live: LiveSettings,
    private readonly read: () => LoadedSettings,
    private readonly logger: ServiceLogger,
  ) {}

  /** Takes the options that can change without a restart; none of them when any option is invalid. */
  run(): void {
    const loaded = this.readAgain();
    if (loaded === null) return;
    const { level } = this.configured.logging;
    const { settings, changes, restarts } = compareSettings(this.configured, loaded.settings);
    this.configured = settings;
    this.live.take(settings);
    // What changed is in the log if one of the two levels writes it.
    this.logger.setLevel(lowerLevel(level, settings.logging.level));
    for (const warning of loaded.warnings) this.logger.warn(warning);
    for (const option of restarts) this.logger.warn(`The configuration was read again: ${option} changes with the next start only.`);
    if (changes.length === 0) this.logger.log('The configuration was read again: no option changed that can change without a restart.');
    else this.logger.log(`The configuration was read again. Changed: ${changes.join(', ')}.`);
    this.logger.setLevel(settings.logging.level);
  }

  private readAgain(): LoadedSettings | null {
    try {
      return this.read();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      this.logger.error(['The configuration was read again and is invalid, so nothing changed:', ...error.problems].join(' '));
      return null;
    }
  }
}

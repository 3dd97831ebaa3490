import { Injectable, type INestApplication } from '@nestjs/common';

import { AccessDeclarations } from '../../access/authorization/guard/access-declarations.js';
import { Settings } from '../../platform/config/settings.js';
import { describeSurface } from './describe.js';
import type { SurfaceName } from './surfaces.js';

/** The descriptions of the running application as JSON text. Each is created on first use. */
@Injectable()
export class ApiDescriptions {
  private readonly texts = new Map<SurfaceName, string>();
  private app: INestApplication | null = null;

  constructor(
    private readonly declarations: AccessDeclarations,
    private readonly settings: Settings,
  ) {}

  /** Sets the application to describe. Providers inside it do not know its routes. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  /** The text of one description. */
  async text(name: SurfaceName): Promise<string> {
    if (this.app === null) throw new Error('The application to describe has not been named.');
    const { publicUrl } = this.settings.appOptions;
    const text = this.texts.get(name) ?? JSON.stringify(await describeSurface(this.app, this.declarations.all(), name, publicUrl));
    this.texts.set(name, text);
    return text;
  }
}

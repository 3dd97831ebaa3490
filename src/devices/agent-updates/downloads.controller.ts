import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import send from 'send';

import type { AgentBundle } from '#libs/contracts';

import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { NotDescribed } from '../../system/openapi/operation.js';
import { OwnBundles } from './own-bundles.js';
import { PublishedFiles, type PublishedFile } from './published-files.js';

/** The files that agents are installed from and updated with. */
@NotDescribed()
@Controller('downloads')
export class DownloadsController {
  constructor(
    private readonly files: PublishedFiles,
    private readonly bundles: OwnBundles,
  ) {}

  /** The signed description of the bundle of this project's own agent. */
  @Get(':runtime/device-agent.json')
  @AllowAnonymous()
  async bundle(@Param('runtime') runtime: string, @Res({ passthrough: true }) response: Response): Promise<AgentBundle> {
    response.setHeader('Cache-Control', 'no-cache');
    return this.bundles.find(runtime);
  }

  /** A published file, with ranges and conditions. */
  @Get('*path')
  @AllowAnonymous()
  async file(@Param('path') parts: readonly string[], @Req() request: Request, @Res() response: Response): Promise<void> {
    const file = await this.files.find(parts.join('/'));
    if (file === null) throw notFound(`The file downloads/${parts.join('/')}`);
    await sendFile(file, request, response);
  }
}

/** Resolves when the file was sent or the client has left. */
function sendFile({ root, path }: PublishedFile, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Type', 'application/octet-stream');
    response.once('close', resolve);
    send(request, path.split('/').map(encodeURIComponent).join('/'), { root, index: false, cacheControl: false })
      // Between the look-up and now the file may have been removed.
      .on('error', (error: Error & { status?: number }) => reject(error.status === 404 ? notFound(`The file downloads/${path}`) : error))
      .on('directory', () => reject(notFound(`The file downloads/${path}`)))
      .pipe(response);
  });
}

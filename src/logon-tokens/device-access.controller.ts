import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { DEVICE_ACCESS_PATH } from '../authentication/scheme-selection.js';
import { AllowAnonymous } from '../authorization/access.js';
import { DomainError, ErrorCode } from '../common/errors.js';
import { isGuid } from '../common/guid.js';
import { SignIn } from '../sign-in/sign-in.js';
import { deviceAccessPage, type DeviceAccessNotice } from './device-access-page.js';
import { LogonTokenRedemption } from './logon-token-redemption.js';

/** The page that the link of a logon token opens. */
@ApiExcludeController()
@Controller(DEVICE_ACCESS_PATH)
export class DeviceAccessController {
  constructor(
    private readonly redemption: LogonTokenRedemption,
    private readonly signIn: SignIn,
  ) {}

  /**
   * With a token in the query: signs the browser in, and leads it to the same page without the token, which must not stay in the
   * address bar, the history or a log. Without one: says whether the browser may work on the device.
   */
  @Get()
  @AllowAnonymous()
  async open(@Req() request: Request, @Res() response: Response): Promise<void> {
    const token = queryText(request, 'logonToken');
    const deviceId = queryText(request, 'deviceId')?.toLowerCase();
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (!isGuid(deviceId)) return show(response, 400, 'no device');
    if (token === undefined) return show(response, 200, (await this.isSignedInFor(request, deviceId)) ? 'signed in' : 'signed out');
    // A browser that only looks ahead must not use up the link. HEAD requests are previews of chat programs.
    if (request.method === 'HEAD' || /prefetch|prerender/i.test(request.header('sec-purpose') ?? ''))
      return void response.status(204).end();
    try {
      await this.redemption.redeem(request, response, deviceId, token);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== ErrorCode.Unauthorized) throw error;
      return show(response, 401, 'refused');
    }
    response.redirect(303, `${DEVICE_ACCESS_PATH}?deviceId=${deviceId}`);
  }

  private async isSignedInFor(request: Request, deviceId: string): Promise<boolean> {
    const principal = await this.signIn.formerOf(request);
    if (principal?.type !== 'User') return false;
    return principal.credential.type !== 'LogonToken' || principal.credential.deviceId === deviceId;
  }
}

function show(response: Response, status: number, notice: DeviceAccessNotice): void {
  response.status(status).type('html').send(deviceAccessPage(notice));
}

/** A value of the query, whose name is read in any case; undefined when it is missing or given more than once. */
function queryText({ query }: Request, name: string): string | undefined {
  const values = Object.entries(query).flatMap(([key, value]) => (key.toLowerCase() === name.toLowerCase() ? [value] : []));
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
}

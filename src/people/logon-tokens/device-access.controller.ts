import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { idOf, isSignedIn } from '../../access/authentication/principals/principal.js';
import { DEVICE_ACCESS_PATH, namesLogonToken } from '../../access/authentication/schemes/scheme-selection.js';
import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { DomainError, ErrorCode, notFound } from '../../platform/common/errors/errors.js';
import { isGuid } from '../../platform/common/identifiers/guid.js';
import { sendPlainPage, sendPlainQuestion } from '../../platform/http/problems/plain-page.js';
import { NotDescribed } from '../../system/openapi/operation.js';
import { SignIn } from '../sign-in/sign-in.js';
import { LogonTokenRedemption } from './logon-token-redemption.js';

const INCOMPLETE = {
  title: 'This link is incomplete',
  text: 'It names no device. Copy the whole link from where you got it.',
};
const REFUSED = {
  title: 'This link does not work',
  text: 'It was used already, has expired, or belongs to another device. Ask for a new one where you got it.',
};

/** Refusals of a link. One is forbidden when its user is suspended while it is opened. */
const REFUSALS: readonly ErrorCode[] = [ErrorCode.Unauthorized, ErrorCode.Forbidden];

const OTHERS_SESSION = {
  title: 'Another account is signed in',
  text: 'This link opens one device with an account of its own. To open it, this browser is signed out first.',
  yes: 'Sign out and open the device',
  no: 'Stay signed in',
};

const OWN_SESSION = {
  title: 'You are signed in',
  text: 'This link opens one device only. To open it, this browser is signed out of your account first.',
  yes: 'Sign out and open the device',
  no: 'Stay signed in',
};

/** Routes of a logon token's link. Without a token, the page at this address is the front end's. */
@NotDescribed()
@Controller(DEVICE_ACCESS_PATH)
export class DeviceAccessController {
  constructor(
    private readonly redemption: LogonTokenRedemption,
    private readonly signIn: SignIn,
  ) {}

  /**
   * Signs the browser in, and leads it to the page of the device without the token, which must not stay in the address bar, the history
   * or a log. A link that does not work is answered with a page that needs no front end. Where a user is signed in, a page asks first, so
   * that following a link never signs a user out or puts them to work under another account.
   */
  @Get()
  @AllowAnonymous()
  open(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.answer(request, response, async (deviceId, token) => {
      const userId = await this.redemption.userOf(request, deviceId, token);
      const former = await this.signIn.formerOf(request);
      if (former !== null && idOf(former) !== userId) return sendPlainQuestion(response, OTHERS_SESSION);
      if (former !== null && isSignedIn(former)) return sendPlainQuestion(response, OWN_SESSION);
      await this.redeem(request, response, deviceId, token);
    });
  }

  /** Opens a link for a person who has agreed to leave the session of the browser. */
  @Post()
  @AllowAnonymous()
  replace(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.answer(request, response, (deviceId, token) => this.redeem(request, response, deviceId, token));
  }

  private async answer(request: Request, response: Response, open: (deviceId: string, token: string) => Promise<void>): Promise<void> {
    if (!namesLogonToken(request.url)) throw notFound('The page');
    const token = queryText(request, 'logonToken');
    const deviceId = queryText(request, 'deviceId')?.toLowerCase();
    if (!isGuid(deviceId)) return sendPlainPage(response, 400, INCOMPLETE);
    if (token === undefined) return sendPlainPage(response, 401, REFUSED);
    // A browser that only looks ahead must not use up the link. HEAD requests are previews of chat programs.
    if (request.method === 'HEAD' || /prefetch|prerender/i.test(request.header('sec-purpose') ?? ''))
      return void response.status(204).end();
    try {
      await open(deviceId, token);
    } catch (error) {
      if (!(error instanceof DomainError) || !REFUSALS.includes(error.code)) throw error;
      return sendPlainPage(response, 401, REFUSED);
    }
  }

  private async redeem(request: Request, response: Response, deviceId: string, token: string): Promise<void> {
    await this.redemption.redeem(request, response, deviceId, token);
    response.redirect(303, `${DEVICE_ACCESS_PATH}?deviceId=${deviceId}`);
  }
}

/** A value of the query, whose name is read in any case; undefined when it is missing or given more than once. */
function queryText({ query }: Request, name: string): string | undefined {
  const values = Object.entries(query).flatMap(([key, value]) => (key.toLowerCase() === name.toLowerCase() ? [value] : []));
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
}

import { Injectable } from '@nestjs/common';

import { isSignedIn, type Principal } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import type { SecurityOrigin } from '../../access/security-log/security-log.js';
import { forbidden, invalidField } from '../../platform/common/errors/errors.js';
import { EmailAddresses, requireOtherAddress } from '../registration/email-addresses.js';
import { Passwords } from '../registration/passwords.js';
import { TwoFactorService } from '../two-factor/two-factor.service.js';
import { atField } from './failure-answers.js';
import type {
  IdentityInfoDto,
  IdentityInfoRequestDto,
  IdentityTwoFactorRequestDto,
  IdentityTwoFactorResponseDto,
} from './interactive-login.dto.js';
import { OwnAccount } from './own-account.js';

/** Users' care of their own accounts through the identity routes. The rules are those of the classes that it calls. */
@Injectable()
export class Identity {
  constructor(
    private readonly account: OwnAccount,
    private readonly passwords: Passwords,
    private readonly addresses: EmailAddresses,
    private readonly twoFactor: TwoFactorService,
  ) {}

  async info(context: RequestContext): Promise<IdentityInfoDto> {
    const { email, emailConfirmed } = await this.account.of(context);
    return { email: email ?? '', isEmailConfirmed: emailConfirmed };
  }

  /** Changes the password, and asks for another e-mail address. */
  async change(context: RequestContext, wanted: IdentityInfoRequestDto, origin: SecurityOrigin): Promise<IdentityInfoDto> {
    const account = await this.account.of(context);
    const { newEmail, newPassword, oldPassword } = wanted;
    if (newEmail || newPassword) requireSignedIn(context.principal);
    // Before the password is changed: a change of both is not to end halfway.
    if (newEmail) requireOtherAddress(account, newEmail);
    if (newPassword) {
      if (!oldPassword) throw invalidField('oldPassword', 'oldPassword is needed to set a new password.');
      await this.passwords.change(context, oldPassword, newPassword, origin);
    }
    if (newEmail) await this.addresses.askToChange(context, account.id, newEmail, origin);
    return this.info(context);
  }

  /** Switches two-factor sign-in on or off, makes codes, and returns its state. */
  async changeTwoFactor(
    context: RequestContext,
    wanted: IdentityTwoFactorRequestDto,
    origin: SecurityOrigin,
  ): Promise<IdentityTwoFactorResponseDto> {
    const { id } = await this.account.of(context);
    requireSignedIn(context.principal);
    if (wanted.enable === true && wanted.resetSharedKey) {
      throw invalidField('resetSharedKey', 'A new key cannot be made and confirmed in one call: make it first.');
    }
    const made = await this.switch(context, id, wanted, origin);
    const recoveryCodes = wanted.resetRecoveryCodes && made === null ? await this.newCodes(context, id, origin) : made;
    const { isEnabled, recoveryCodesLeft } = await this.twoFactor.status(context, id);
    const wantsKey = !isEnabled && wanted.enable !== true;
    const sharedKey = wantsKey ? (await this.twoFactor.keyInSetup(context, id)).sharedKey : '';
    return { sharedKey, recoveryCodesLeft, recoveryCodes, isTwoFactorEnabled: isEnabled, isMachineRemembered: false };
  }

  /** The recovery codes that come with switching on; null when nothing was switched on. */
  private async switch(
    context: RequestContext,
    userId: string,
    { enable, twoFactorCode, resetSharedKey }: IdentityTwoFactorRequestDto,
    origin: SecurityOrigin,
  ): Promise<readonly string[] | null> {
    const { isEnabled } = await this.twoFactor.status(context, userId);
    if (enable === true && !isEnabled) {
      if (!twoFactorCode) throw invalidField('twoFactorCode', 'twoFactorCode is needed to switch two-factor sign-in on.');
      return atField('twoFactorCode', this.twoFactor.enable(context, userId, twoFactorCode, origin));
    }
    if (resetSharedKey || (enable === false && isEnabled)) await this.twoFactor.disable(context, userId, origin);
    return null;
  }

  private newCodes(context: RequestContext, userId: string, origin: SecurityOrigin): Promise<readonly string[]> {
    return atField('resetRecoveryCodes', this.twoFactor.newCodes(context, userId, origin));
  }
}

/** Tokens and keys cannot change how their owner signs in. */
function requireSignedIn(principal: Principal): void {
  if (!isSignedIn(principal))
    throw forbidden('Only users who signed in can do this. Tokens and keys cannot change how their owner signs in.');
}

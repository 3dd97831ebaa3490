import { Module } from '@nestjs/common';

import { SecurityLogModule } from '../../access/security-log/security-log.module.js';
import { MailModule } from '../mail/mail.module.js';
import { TwoFactorModule } from '../two-factor/two-factor.module.js';
import { UsersModule } from '../users/users.module.js';
import { Attempts } from './attempts.js';
import { ConstantTimeReply } from './constant-time-reply.js';
import { FailedProofs } from './failed-proofs.js';
import { IdentityCheck } from './identity-check.js';
import { KnownBrowsers } from './known-browsers.js';
import { LockoutRule } from './lockout-rule.js';
import { Lockout } from './lockout.js';
import { SecondProofs } from './second-proofs.js';
import { SignInController } from './sign-in.controller.js';
import { SignInNews } from './sign-in-news.js';
import { SignIn } from './sign-in.js';
import { SourceFailures } from './source-failures.js';
import { StepUp } from './step-up.js';
import { UnknownNames } from './unknown-names.js';
import { UnknownNamesRepository } from './unknown-names.repository.js';
import { WaysToSignIn } from './ways-to-sign-in.js';

@Module({
  imports: [MailModule, SecurityLogModule, TwoFactorModule, UsersModule],
  controllers: [SignInController],
  providers: [
    Attempts,
    ConstantTimeReply,
    FailedProofs,
    IdentityCheck,
    KnownBrowsers,
    Lockout,
    LockoutRule,
    SecondProofs,
    SignIn,
    SignInNews,
    SourceFailures,
    StepUp,
    UnknownNames,
    UnknownNamesRepository,
    WaysToSignIn,
  ],
  exports: [FailedProofs, IdentityCheck, SignIn, SignInNews, StepUp, UnknownNames, WaysToSignIn],
})
export class SignInModule {}

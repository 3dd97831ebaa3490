import { Module } from '@nestjs/common';

import { SecurityLogModule } from '../../access/security-log/security-log.module.js';
import { MailModule } from '../mail/mail.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UsersModule } from '../users/users.module.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { PasskeyChallengesRepository } from './passkey-challenges.repository.js';
import { PasskeyProofsController } from './passkey-proofs.controller.js';
import { PasskeyProofs } from './passkey-proofs.js';
import { PasskeySignIn } from './passkey-sign-in.js';
import { PasskeyStepUp } from './passkey-step-up.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasskeysService } from './passkeys.service.js';
import { RelyingParties } from './relying-party.js';
import { VisitorCookie } from './visitor-cookie.js';

@Module({
  imports: [MailModule, SecurityLogModule, SignInModule, UsersModule],
  controllers: [PasskeyProofsController, PasskeysController],
  providers: [
    PasskeyChallenges,
    PasskeyChallengesRepository,
    PasskeyProofs,
    PasskeySignIn,
    PasskeyStepUp,
    PasskeysService,
    RelyingParties,
    VisitorCookie,
  ],
  exports: [PasskeyChallenges, PasskeysService, RelyingParties],
})
export class PasskeysModule {}

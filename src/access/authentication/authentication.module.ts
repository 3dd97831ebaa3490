import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AuthenticationService } from './authentication.service.js';
import { BrowserCookie } from './browser-cookie.js';
import { CredentialUsage } from './credential-usage.js';
import { CredentialsRepository } from './credentials.repository.js';
import { AuthenticationFailureLimiter } from './failure-limiter.js';
import { KeyVerifier } from './key-verifier.js';
import { PasswordCost } from './password-cost.js';
import { PasswordHasher } from './password-hasher.js';
import { ApiKeyScheme } from './schemes/api-key.scheme.js';
import { RecentProof } from './recent-proof.js';
import { BearerScheme } from './schemes/bearer.scheme.js';
import { LogonTokenScheme } from './schemes/logon-token.scheme.js';
import { PersonalAccessTokenScheme } from './schemes/personal-access-token.scheme.js';
import { SessionCookieScheme } from './schemes/session-cookie.scheme.js';
import { ServerSecrets } from './server-secrets.js';
import { BearerSessions } from './sessions/bearer-sessions.js';
import { SessionCookie } from './sessions/session-cookie.js';
import { Sessions } from './sessions/sessions.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { Visitors } from './visitors.js';

@Global()
@Module({
  providers: [
    AuthenticationService,
    AuthenticationFailureLimiter,
    BrowserCookie,
    CredentialsRepository,
    CredentialUsage,
    KeyVerifier,
    PasswordCost,
    PasswordHasher,
    ApiKeyScheme,
    PersonalAccessTokenScheme,
    RecentProof,
    SessionCookieScheme,
    BearerScheme,
    BearerSessions,
    LogonTokenScheme,
    { provide: ServerSecrets, inject: [DataSource], useFactory: (dataSource: DataSource) => ServerSecrets.open(dataSource) },
    SessionCookie,
    Sessions,
    SessionsRepository,
    Visitors,
  ],
  exports: [
    AuthenticationService,
    BearerSessions,
    BrowserCookie,
    PasswordCost,
    PasswordHasher,
    RecentProof,
    ServerSecrets,
    SessionCookie,
    Sessions,
    Visitors,
  ],
})
export class AuthenticationModule {}

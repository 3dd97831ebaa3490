import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AuthenticationService } from './authentication.service.js';
import { ApiKeyScheme } from './credentials/api-key.scheme.js';
import { CredentialUsage } from './credentials/credential-usage.js';
import { CredentialsRepository } from './credentials/credentials.repository.js';
import { AuthenticationFailureLimiter } from './credentials/failure-limiter.js';
import { KeyVerifier } from './credentials/key-verifier.js';
import { LogonTokenScheme } from './credentials/logon-token.scheme.js';
import { PersonalAccessTokenScheme } from './credentials/personal-access-token.scheme.js';
import { PasswordCost } from './passwords/password-cost.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { ServerSecrets } from './server-secrets/server-secrets.js';
import { BearerSessions } from './sessions/bearer-sessions.js';
import { BearerScheme } from './sessions/bearer.scheme.js';
import { RecentProof } from './sessions/recent-proof.js';
import { SessionCookie } from './sessions/session-cookie.js';
import { SessionCookieScheme } from './sessions/session-cookie.scheme.js';
import { Sessions } from './sessions/sessions.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { BrowserCookie } from './visitors/browser-cookie.js';
import { Visitors } from './visitors/visitors.js';

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

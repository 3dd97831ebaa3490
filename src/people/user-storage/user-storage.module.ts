import { Module } from '@nestjs/common';

import { UserStorageController } from './user-storage.controller.js';
import { UserStorageInternalController } from './user-storage.internal.js';
import { UserStorageService } from './user-storage.service.js';

@Module({ controllers: [UserStorageController, UserStorageInternalController], providers: [UserStorageService] })
export class UserStorageModule {}

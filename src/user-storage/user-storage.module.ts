import { Module } from '@nestjs/common';

import { UserStorageController } from './user-storage.controller.js';
import { UserStorageService } from './user-storage.service.js';

@Module({ controllers: [UserStorageController], providers: [UserStorageService] })
export class UserStorageModule {}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** E-mail addresses of users. */
@Injectable()
export class RecipientsRepository {
  /** The address of a user, or null when there is none. */
  async addressOf(manager: EntityManager, userId: string): Promise<string | null> {
    const [user] = await manager.query<{ email: string | null }[]>('SELECT email FROM users WHERE id = $1', [userId]);
    return user?.email ?? null;
  }
}

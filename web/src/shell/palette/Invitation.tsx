import { type ReactNode, useState } from 'react';

import { InviteDialog } from '../../features/users/InviteDialog.js';

/** Invites a user from any page. It stays for the link that the invitation shows once. */
export function Invitation(): ReactNode {
  const [isOpen, setOpen] = useState(true);
  return <InviteDialog open={isOpen} onClose={() => setOpen(false)} />;
}

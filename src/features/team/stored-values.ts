import type { Declared } from '../../ports/stored/declaration.ts'
import { creations } from './creations.ts'
import { removals } from './deactivate-team-member.ts'
import { teamLease } from './team-lease.ts'
import { passwordFacts, temporaryPasswords } from './temporary-passwords.ts'
import { openInviteLinks } from './with-open-invite-link.ts'

/** What this feature stores. */
export const teamStoredValues: readonly { readonly declaration: Declared }[] = [
  creations,
  openInviteLinks,
  passwordFacts,
  removals,
  teamLease,
  temporaryPasswords,
]

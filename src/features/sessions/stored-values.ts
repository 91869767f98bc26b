import type { Declared } from '../../ports/stored/declaration.ts'
import { providerAgentLease } from './agent-at-provider.ts'
import { agentNotices } from './agent-notices.ts'
import { sealedAgentRecords } from './agent-record-cache.ts'
import { agentSecrets } from './agent-secrets.ts'
import { formerSessionWorkspaces, sessionChecks } from './session-checks.ts'
import { sessionLocks } from './session-lock.ts'
import { agentsOfMembers, heartbeats, sessionRecords } from './session-records.ts'
import { refusedAccessTokens, refusedRefreshTokens } from './sign-ins/refused-tokens.ts'
import { storedSignIns } from './sign-ins/sign-in-records.ts'
import { takeOvers } from './take-over.ts'

/** What this feature stores. */
export const sessionStoredValues: readonly { readonly declaration: Declared }[] = [
  agentNotices,
  agentSecrets,
  agentsOfMembers,
  formerSessionWorkspaces,
  heartbeats,
  providerAgentLease,
  refusedAccessTokens,
  refusedRefreshTokens,
  sealedAgentRecords,
  sessionChecks.items,
  sessionLocks,
  sessionRecords,
  storedSignIns,
  takeOvers,
]

import { proveCrash } from './security/crash.ts'
import { proveDescriptors } from './security/descriptors.ts'
import { proveGarbage } from './security/garbage.ts'
import { proveHangingRedis } from './security/hanging-redis.ts'
import { proveHoarding } from './security/hoarding.ts'
import { proveLockout } from './security/lockout.ts'
import { proveLoop } from './security/loop.ts'
import { proveLostWebhook } from './security/lost-webhook.ts'
import { proveMembers } from './security/members.ts'
import { proveMemory } from './security/memory.ts'
import { proveRotation } from './security/rotation.ts'
import { proveSearch } from './security/search.ts'
import { proveShares } from './security/shares.ts'
import { proveSocketWalks } from './security/socket-walks.ts'
import { proveSocketsWithoutToken } from './security/sockets-without-token.ts'
import { proveStreams } from './security/streams.ts'
import { proveUnread } from './security/unread.ts'
import { proveWorkspaces } from './security/workspaces.ts'
import { type Figure, proveParts } from './stage/report.ts'

// `npm run prove:security` for all attacks, `-- loop` for some of them, or `-- members:recordingStatuses` for one root field.
const parts: Readonly<Record<string, (only?: string) => Promise<readonly Figure[]>>> = {
  hoarding: proveHoarding,
  loop: proveLoop,
  lockout: proveLockout,
  memory: proveMemory,
  descriptors: proveDescriptors,
  'lost-webhook': proveLostWebhook,
  crash: proveCrash,
  streams: proveStreams,
  shares: proveShares,
  'socket-walks': proveSocketWalks,
  'sockets-without-token': proveSocketsWithoutToken,
  unread: proveUnread,
  workspaces: proveWorkspaces,
  search: proveSearch,
  garbage: proveGarbage,
  'hanging-redis': proveHangingRedis,
  rotation: proveRotation,
  members: proveMembers,
}
await proveParts('Attacks', parts)

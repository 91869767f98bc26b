import { proveCrash } from './security/crash.ts'
import { proveDescriptors } from './security/descriptors.ts'
import { proveHoarding } from './security/hoarding.ts'
import { proveLockout } from './security/lockout.ts'
import { proveLoop } from './security/loop.ts'
import { proveLostWebhook } from './security/lost-webhook.ts'
import { proveMemory } from './security/memory.ts'
import { proveStreams } from './security/streams.ts'
import { proveWorkspaces } from './security/workspaces.ts'
import { type Figure, proveParts } from './stage/report.ts'

// `npm run prove:security` for all attacks, or `-- loop` for some of them.
const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  hoarding: proveHoarding,
  loop: proveLoop,
  lockout: proveLockout,
  memory: proveMemory,
  descriptors: proveDescriptors,
  'lost-webhook': proveLostWebhook,
  crash: proveCrash,
  streams: proveStreams,
  workspaces: proveWorkspaces,
}
await proveParts('Attacks', parts)

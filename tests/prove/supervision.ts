import { type Figure, proveParts } from './stage/report.ts'
import { proveDay } from './supervision/day.ts'
import { proveRebuild } from './supervision/rebuild.ts'
import { proveWallboard } from './supervision/wallboard.ts'

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  day: proveDay,
  rebuild: proveRebuild,
  wallboard: proveWallboard,
}
await proveParts('Supervision', parts)
process.exit(process.exitCode)

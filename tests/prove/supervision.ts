import { type Figure, proveParts } from './stage/report.ts'
import { proveDay } from './supervision/day.ts'
import { proveRebuild } from './supervision/rebuild.ts'

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = { day: proveDay, rebuild: proveRebuild }
await proveParts('Supervision', parts)
process.exit(process.exitCode)

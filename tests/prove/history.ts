import { type Figure, proveParts } from './stage/report.ts'
import { proveWeek } from './history/week.ts'

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = { week: proveWeek }
await proveParts('History', parts)
process.exit(process.exitCode)

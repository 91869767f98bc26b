import { proveCalls } from './phone/calls.ts'
import { proveParts } from './stage/report.ts'

await proveParts('Phone', { calls: proveCalls })
process.exit(process.exitCode)

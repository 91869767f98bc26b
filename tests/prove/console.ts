import { proveBackgroundTab } from './console/background.ts'
import { proveFirstCall } from './console/first-call.ts'
import { proveFirstPaint } from './console/first-paint.ts'
import { proveScreenPop } from './console/screen-pop.ts'
import { proveWalks } from './console/walks.ts'
import { type Figure, proveParts } from './stage/report.ts'

const parts: Readonly<Record<string, (only?: string) => Promise<readonly Figure[]>>> = {
  paint: async () => [await proveFirstPaint()],
  pop: async () => [await proveScreenPop()],
  background: async () => [await proveBackgroundTab()],
  call: async () => [await proveFirstCall()],
  walks: async (seed) => [await proveWalks(seed)],
}
await proveParts('Console', parts)
process.exit(process.exitCode)

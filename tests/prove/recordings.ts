import { type Figure, proveParts } from './stage/report.ts'
import { proveAddresses } from './recordings/addresses.ts'
import { proveOnce, proveOnceDespiteKill } from './recordings/once.ts'

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  addresses: async () => [await proveAddresses()],
  once: async () => [await proveOnce()],
  kill: async () => [await proveOnceDespiteKill()],
}
await proveParts('Recordings', parts)
process.exit(process.exitCode)

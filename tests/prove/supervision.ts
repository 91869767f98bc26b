import { loadavg } from 'node:os'
import { type Figure, printFigures, say } from './configuration/figures.ts'
import { proveDay } from './supervision/day.ts'
import { proveRebuild } from './supervision/rebuild.ts'

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = { day: proveDay, rebuild: proveRebuild }

/** `npm run prove:supervision` runs all parts, `npm run prove:supervision -- day` one. */
const wanted = process.argv.slice(2)
const figures: Figure[] = []
for (const [name, prove] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  say(`proving: ${name}`)
  figures.push(...(await prove()))
}
printFigures(figures)
console.log(
  `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
)
process.exit(process.exitCode)

import { type Figure, printFigures, say } from './configuration/figures.ts'
import { proveAddresses } from './recordings/addresses.ts'
import { proveOnce, proveOnceDespiteKill } from './recordings/once.ts'

const parts: Readonly<Record<string, () => Promise<Figure>>> = {
  addresses: proveAddresses,
  once: proveOnce,
  kill: proveOnceDespiteKill,
}
const [only] = process.argv.slice(2)
const figures: Figure[] = []
for (const [name, prove] of Object.entries(parts)) {
  if (only !== undefined && only !== name) continue
  say(`proving: ${name}`)
  figures.push(await prove())
}
printFigures(figures)
process.exit()

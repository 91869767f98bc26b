import { type Figure, printFigures } from './stage/report.ts'
import { proveCrash } from './widget/crash.ts'
import { proveFirstWord } from './widget/first-word.ts'
import { proveOneSlot } from './widget/one-slot.ts'
import { provePlatformLoad } from './widget/platform-load.ts'

// `npm run prove:widget` for all figures, or `-- one load crash words` for some of them.
const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  one: proveOneSlot,
  load: provePlatformLoad,
  crash: proveCrash,
  words: proveFirstWord,
}
const named = process.argv.slice(2)
const figures: Figure[] = []
for (const [name, prove] of Object.entries(parts)) if (named.length === 0 || named.includes(name)) figures.push(...(await prove()))
printFigures('The widget', figures)

import { proveCrash } from './sessions/crash.ts'
import { proveExactlyOne } from './sessions/exactly-one.ts'
import { proveGuessing } from './sessions/guessing.ts'
import { proveOnlyTheHolder } from './sessions/only-the-holder.ts'
import { proveSharedRenewals } from './sessions/refresh.ts'
import { proveStoreAway } from './sessions/store-away.ts'
import { type Figure, printFigures } from './stage/report.ts'

// `npm run prove:sessions` for all figures, or `-- one holder away guessing refresh crash` for some of them.
const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  one: proveExactlyOne,
  holder: proveOnlyTheHolder,
  away: proveStoreAway,
  guessing: proveGuessing,
  refresh: proveSharedRenewals,
  crash: proveCrash,
}
const named = process.argv.slice(2)
const figures: Figure[] = []
for (const [name, prove] of Object.entries(parts)) if (named.length === 0 || named.includes(name)) figures.push(...(await prove()))
printFigures('Sessions and sign-in', figures)

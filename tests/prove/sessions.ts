import { proveCrash } from './sessions/crash.ts'
import { proveExactlyOne } from './sessions/exactly-one.ts'
import { proveFailOver } from './sessions/fail-over.ts'
import { proveGuessing } from './sessions/guessing.ts'
import { proveOnlyTheHolder } from './sessions/only-the-holder.ts'
import { proveSharedRenewals } from './sessions/refresh.ts'
import { proveStoreAway } from './sessions/store-away.ts'
import { type Figure, proveParts } from './stage/report.ts'

// `npm run prove:sessions` for all figures, or `-- one holder away failover guessing refresh crash` for some of them.
const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  one: proveExactlyOne,
  holder: proveOnlyTheHolder,
  away: proveStoreAway,
  failover: proveFailOver,
  guessing: proveGuessing,
  refresh: proveSharedRenewals,
  crash: proveCrash,
}
await proveParts('Sessions and sign-in', parts)

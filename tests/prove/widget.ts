import { type Figure, proveParts } from './stage/report.ts'
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
await proveParts('The widget', parts)
